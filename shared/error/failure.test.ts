import { expect, test } from "vitest";
import { ApiError } from "./api-error.ts";
import { reasonOf } from "./failure.ts";

test.each([
  "SQLITE_BUSY: database is locked",
  "database or disk is full: SQLITE_FULL",
  "disk I/O error: SQLITE_IOERR_SHMSIZE",
  "internal error; reference = 8aq3",
])("%j is the installation's, to be tried again: 14, and it is logged", (message) => {
  const { code, log } = reasonOf(new Error("on the way", { cause: new Error(message) }));
  expect([code, typeof log]).toEqual([14, "string"]);
});

test("what is for the caller stays as it is, and what nobody expected is 6", () => {
  expect(reasonOf(new ApiError(7, { errors: [] }))).toMatchObject({ code: 7, log: undefined });
  expect(reasonOf(new TypeError("x is not a function"))).toMatchObject({ code: 6 });
});
