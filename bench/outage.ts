import { setTimeout as pause } from "node:timers/promises";
import { accountsOf, BASE } from "./tool/account.ts";
import { compareRounds, type Figure, median } from "./tool/figure.ts";
import { startStack } from "./tool/stack.ts";

const AT_ONCE = 16;
const OUTAGE_MS = 10_000;
/** Calls that are still failing then will go on failing. */
const PATIENCE_MS = 30_000;

/** How soon calls succeed again once databases that were out of reach can be reached. */
export async function outageFigure(): Promise<Figure> {
  const stack = await startStack({ databasesAway: 1 });
  try {
    const account = await (await accountsOf(stack))("outage@example.com");
    const { id } = await account.call("/vehicle/create", { vehicle: { label: "Van" } });
    const body = JSON.stringify({ hash: account.hash, vehicle_id: id });
    const headers = { "Content-Type": "application/json" };
    const read = async () => {
      const began = performance.now();
      const { ok } = await fetch(`${stack.origin}${BASE}/vehicle/read`, { method: "POST", body, headers });
      return { ok, began, ended: performance.now() };
    };
    const before: number[] = [];
    for (let count = 0; count < 50; count++) {
      const { began, ended } = await read();
      before.push(ended - began);
    }

    const until = performance.now() + OUTAGE_MS + PATIENCE_MS;
    let back = Number.POSITIVE_INFINITY;
    let first: number | undefined;
    let failed = 0;
    const callers = Array.from({ length: AT_ONCE }, async () => {
      while (first === undefined && performance.now() < until) {
        const { ok, ended } = await read();
        if (!ok) failed++;
        else if (ended > back) first ??= ended;
      }
    });
    await pause(500);
    for (const way of stack.ways) way.stop();
    await pause(OUTAGE_MS);
    for (const way of stack.ways) await way.restart();
    back = performance.now();
    await Promise.all(callers);
    if (failed === 0) throw new Error("nobody noticed that the databases were out of reach");
    if (first === undefined) throw new Error("no call has succeeded since");

    const name = `/vehicle/read, ${AT_ONCE} at a time, first success after ${OUTAGE_MS / 1000} s without databases`;
    const baseline = { name: "one call before, p50", unit: "ms" };
    return compareRounds({ name, unit: "ms", goal: { mostValue: 1000 }, baseline }, [first - back], [median(before)]);
  } finally {
    await stack.stop();
  }
}
