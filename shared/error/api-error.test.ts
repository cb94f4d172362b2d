import { expect, test } from "vitest";
import { ApiError, ERRORS, type ErrorCode, envelope, invalid, isApiError } from "./api-error.ts";

const STATUSES: Record<number, number[]> = {
  402: [236, 268],
  403: [2, 11, 13, 101, 208, 219, 221, 225, 238, 240, 249, 250, 251, 257, 261, 264, 265, 266, 275, 276],
  404: [204, 229, 239, 258],
  409: [231, 247, 277, 278],
  412: [9],
  413: [271],
  429: [15],
  500: [1, 6, 254],
  503: [8, 14],
};
const codes = Object.keys(ERRORS).map((code) => Number(code) as ErrorCode);

test("ERRORS give every code the HTTP status of the contract, 400 unless another is named", () => {
  for (const code of codes) {
    const named = Object.entries(STATUSES).find(([, ofStatus]) => ofStatus.includes(code));
    expect([code, ERRORS[code][0]]).toEqual([code, named ? Number(named[0]) : 400]);
  }
  expect(codes).toEqual(expect.arrayContaining(Object.values(STATUSES).flat()));
});

test("a failure's body has the envelope, and what the code adds beside it", () => {
  expect(envelope(264, { timeout: "PT5M" })).toEqual({
    success: false,
    status: { code: 264, description: expect.any(String) },
    timeout: "PT5M",
  });
});

test("isApiError knows an error by its members, as they arrive from another Worker", () => {
  const thrown = invalid("zone.center", "lat and lng are required");
  expect(isApiError({ code: thrown.code, extra: thrown.extra })).toBe(true);
  expect(thrown.extra).toEqual({ errors: [{ parameter: "zone.center", error: "lat and lng are required" }] });
  for (const other of [
    new Error("x"),
    null,
    { code: "SQLITE_BUSY", extra: {} },
    { code: 201 },
    { code: 999, extra: {} },
  ]) {
    expect(isApiError(other)).toBe(false);
  }
  expect(new ApiError(201)).toBeInstanceOf(Error);
});
