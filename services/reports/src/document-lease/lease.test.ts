import { expect, test } from "vitest";
import { type DocumentLease, type DocumentLeases, grantLease, runWithLease } from "./lease.ts";

test("grantLease grants a new lease thirty seconds after one that was not released", () => {
  const held = grantLease(undefined, "first", 1000);
  expect(held).toEqual({ id: "first", endsAt: 31_000 });
  expect(grantLease(held, "second", 30_999)).toBeUndefined();
  expect(grantLease(held, "second", 31_000)).toEqual({ id: "second", endsAt: 61_000 });
});

test("runWithLease runs one job of an account at a time, also after one that failed, and independent of other accounts", async () => {
  const leases = newLeases();
  let finish: (text: string) => void = () => undefined;
  const first = runWithLease(leases, 1, () => new Promise<string>((resolve) => (finish = resolve)));
  expect(await runWithLease(leases, 1, async () => "second")).toBeNull();
  expect(await runWithLease(leases, 2, async () => "another's")).toBe("another's");
  finish("first");
  expect(await first).toBe("first");
  const failing = runWithLease(leases, 1, () => Promise.reject(new Error("no font")));
  await expect(failing).rejects.toThrow("no font");
  expect(await runWithLease(leases, 1, async () => "third")).toBe("third");
});

function newLeases() {
  const held = new Map<string, DocumentLease>();
  return {
    getByName: (name: string): DocumentLeases => ({
      async acquire() {
        const lease = grantLease(held.get(name), name, 0);
        if (lease) held.set(name, lease);
        return lease ?? null;
      },
      async release() {
        held.delete(name);
      },
    }),
  };
}
