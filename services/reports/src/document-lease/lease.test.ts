import { expect, test } from "vitest";
import { type DocumentLease, type DocumentLeases, renewLease, runWithLease } from "./lease.ts";

test("nextTurn frees a turn that was not ended after thirty seconds", () => {
  const held = renewLease(undefined, "first", 1000);
  expect(held).toEqual({ id: "first", endsAt: 31_000 });
  expect(renewLease(held, "second", 30_999)).toBeUndefined();
  expect(renewLease(held, "second", 31_000)).toEqual({ id: "second", endsAt: 61_000 });
});

test("inTurn runs one job of an account at a time, also after one that failed, and independent of other accounts", async () => {
  const turns = newTurns();
  let finish: (text: string) => void = () => undefined;
  const first = runWithLease(turns, 1, () => new Promise<string>((resolve) => (finish = resolve)));
  expect(await runWithLease(turns, 1, async () => "second")).toBeNull();
  expect(await runWithLease(turns, 2, async () => "another's")).toBe("another's");
  finish("first");
  expect(await first).toBe("first");
  const failing = runWithLease(turns, 1, () => Promise.reject(new Error("no font")));
  await expect(failing).rejects.toThrow("no font");
  expect(await runWithLease(turns, 1, async () => "third")).toBe("third");
});

function newTurns() {
  const held = new Map<string, DocumentLease>();
  return {
    getByName: (name: string): DocumentLeases => ({
      async acquire() {
        const turn = renewLease(held.get(name), name, 0);
        if (turn) held.set(name, turn);
        return turn ?? null;
      },
      async release() {
        held.delete(name);
      },
    }),
  };
}
