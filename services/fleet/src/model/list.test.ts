import { expect, test } from "vitest";
import { assignsId, findModel, MODELS, newDeviceId, offenceOfId } from "./list.ts";

const find = (code: string) => findModel(code) ?? expect.fail(`no model ${code}`);

test("an IMEI is 15 digits, whatever its check digit", () => {
  expect(offenceOfId(find("generic_gps"), "860000000000017")).toBeUndefined();
  for (const wrong of ["86000000000001", "8600000000000170", "86000000000001a", "", undefined]) {
    expect(offenceOfId(find("generic_gps"), wrong)).toBeDefined();
  }
});

test("a free id has 2 to 64 letters, digits and hyphens", () => {
  const http = find("generic_http");
  expect([offenceOfId(http, "a-"), offenceOfId(http, "x".repeat(64))]).toEqual([undefined, undefined]);
  for (const wrong of ["a", "x".repeat(65), "a b", "a_b", "ä1"]) expect(offenceOfId(http, wrong)).toBeDefined();
});

test("an id that the server makes has the digits that its model says", () => {
  expect(MODELS.filter(assignsId).map(({ code }) => code)).toEqual(["mobile_app"]);
  expect(newDeviceId(find("mobile_app"))).toMatch(/^3\d{9}$/);
});
