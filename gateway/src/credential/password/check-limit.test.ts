import { expect, test } from "vitest";
import { withinCheckLimit } from "./check-limit.ts";

const CHEAP = { PASSWORD_COST: "16", LOCAL_RUN: "1" };

test("withinCheckLimit refuses the thirteenth log-in at once with 15, and takes another when one has ended or failed", async () => {
  const { promise: end, resolve: endAll } = Promise.withResolvers<void>();
  const { promise: failure, reject: fail } = Promise.withResolvers<void>();
  failure.catch(() => undefined);
  const under = Array.from({ length: 11 }, (_, index) => withinCheckLimit({}, `10.0.0.${index}`, () => end));
  const failing = withinCheckLimit({}, "10.0.1.1", () => failure);
  const another = () => withinCheckLimit({}, "10.0.1.2", async () => "passed");
  await expect(another()).rejects.toMatchObject({ code: 15 });
  fail(new Error("wrong password"));
  await expect(failing).rejects.toThrow("wrong password");
  expect(await another()).toBe("passed");
  endAll();
  await Promise.all(under);
});

test.each([
  ["10.0.0.7", "10.0.0.7", "10.0.0.8"],
  ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1"],
])(
  "withinCheckLimit refuses the eleventh log-in at once of %s to %s with 15, and takes one of %s",
  async (first, same, other) => {
    const { promise: end, resolve: endAll } = Promise.withResolvers<void>();
    const under = Array.from({ length: 10 }, () => withinCheckLimit({}, first, () => end));
    const another = (address: string) => withinCheckLimit({}, address, async () => "passed");
    await expect(another(same)).rejects.toMatchObject({ code: 15 });
    expect(await another(other)).toBe("passed");
    endAll();
    await Promise.all(under);
    expect(await another(same)).toBe("passed");
  },
);

test("withinCheckLimit takes hundreds of log-ins of an address at once whose checks are cheap", async () => {
  const all = Array.from({ length: 500 }, async (_, index) => withinCheckLimit(CHEAP, "10.0.0.1", async () => index));
  expect(await Promise.all(all)).toHaveLength(500);
});
