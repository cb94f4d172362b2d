import { expect, test } from "vitest";
import { ApiError } from "./api-error.ts";
import { reasonOf, toLoggedFailure } from "./failure.ts";

test.each([
  "SQLITE_BUSY: database is locked",
  "database or disk is full: SQLITE_FULL",
  "disk I/O error: SQLITE_IOERR_SHMSIZE",
  "internal error; reference = 8aq3",
])("reasonOf turns %j into 14, a failure of the installation that callers retry, and logs it", (message) => {
  const { code, log } = reasonOf(new Error("on the way", { cause: new Error(message) }));
  expect([code, typeof log]).toEqual([14, "string"]);
});

test("reasonOf leaves an ApiError as it is, and turns any other error into 6", () => {
  expect(reasonOf(new ApiError(7, { errors: [] }))).toMatchObject({ code: 7, log: undefined });
  expect(reasonOf(new TypeError("x is not a function"))).toMatchObject({ code: 6 });
});

test("reasonOf has no line for a failure that another Worker has logged, with the same code, whatever wraps it", () => {
  const wrapped = new Error("query with parameters", { cause: new Error("SQLITE_BUSY: database is locked") });
  const crossed = toLoggedFailure(wrapped);
  expect(crossed.message).toBe("SQLITE_BUSY: database is locked");
  for (const thrown of [crossed, new ApiError(14, {}, { cause: crossed }), toLoggedFailure(crossed)])
    expect(reasonOf(thrown)).toEqual({ code: 14, extra: {}, log: undefined, isLogged: true });
  const refused = toLoggedFailure(new ApiError(14, { timeout: "PT5M" }));
  expect(reasonOf(refused)).toMatchObject({ code: 14, extra: { timeout: "PT5M" }, isLogged: true });
});
