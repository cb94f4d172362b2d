import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { callsPerCount } from "./calls-per-count.ts";

test("callsPerCount counts small rates call by call, and large ones in steps of up to a fiftieth", () => {
  expect([1, 3, 19, 20, 500].map(callsPerCount)).toEqual([1, 1, 1, 2, 50]);
});

test("the ACCOUNT_LIMIT binding allows in ten seconds what the rate of an account allows", () => {
  const config = readFileSync("wrangler.toml", "utf8");
  const perSecond = Number(/^ACCOUNT_RATE_PER_SECOND = "(\d+)"$/m.exec(config)?.[1]);
  const limit = Number(/name = "ACCOUNT_LIMIT"[^[]*limit = (\d+), period = 10/.exec(config)?.[1]);
  expect(limit * callsPerCount(perSecond)).toBe(10 * perSecond);
});
