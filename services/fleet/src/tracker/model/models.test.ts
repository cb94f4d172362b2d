import { expect, test } from "vitest";
import { assignsId, findIdError, findModel, generateDeviceId, MODELS } from "./models.ts";

const find = (code: string) => findModel(code) ?? expect.fail(`no model ${code}`);

test("findIdError accepts an IMEI of 15 digits, whatever its check digit", () => {
  expect(findIdError(find("generic_gps"), "860000000000017")).toBeUndefined();
  for (const wrong of ["86000000000001", "8600000000000170", "86000000000001a", "", undefined]) {
    expect(findIdError(find("generic_gps"), wrong)).toBeDefined();
  }
});

test("findIdError accepts a free id of 2 to 64 letters, digits and hyphens", () => {
  const http = find("generic_http");
  expect([findIdError(http, "a-"), findIdError(http, "x".repeat(64))]).toEqual([undefined, undefined]);
  for (const wrong of ["a", "x".repeat(65), "a b", "a_b", "ä1"]) expect(findIdError(http, wrong)).toBeDefined();
});

test("generateDeviceId makes an id of the digits that its model names", () => {
  expect(MODELS.filter(assignsId).map(({ code }) => code)).toEqual(["mobile_app"]);
  expect(generateDeviceId(find("mobile_app"))).toMatch(/^3\d{9}$/);
});
