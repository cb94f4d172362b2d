import { expect, test } from "vitest";
import { withinCheckLimit } from "./check-limit.ts";

const CHEAP = { PASSWORD_COST: "16", LOCAL_RUN: "1" };

test("withinCheckLimit refuses the thirteenth log-in at once with 15, and takes another when one has ended or failed", async () => {
  const { promise: end, resolve: endAll } = Promise.withResolvers<void>();
  const { promise: failure, reject: fail } = Promise.withResolvers<void>();
  failure.catch(() => undefined);
  const under = Array.from({ length: 11 }, () => withinCheckLimit({}, () => end));
  const failing = withinCheckLimit({}, () => failure);
  await expect(withinCheckLimit({}, async () => "passed")).rejects.toMatchObject({ code: 15 });
  fail(new Error("wrong password"));
  await expect(failing).rejects.toThrow("wrong password");
  expect(await withinCheckLimit({}, async () => "passed")).toBe("passed");
  endAll();
  await Promise.all(under);
});

test("withinCheckLimit takes hundreds of log-ins at once whose checks are cheap", async () => {
  const all = Array.from({ length: 500 }, async (_, index) => withinCheckLimit(CHEAP, async () => index));
  expect(await Promise.all(all)).toHaveLength(500);
});
