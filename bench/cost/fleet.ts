import { setTimeout as pause } from "node:timers/promises";
import { systemNow } from "../../shared/time/clock.ts";
import { HOUR_MS } from "../../shared/time/duration.ts";
import { registerTracker } from "../tool/account.ts";
import { newDrive } from "../tool/drive.ts";
import { type Counted, type DayStart, STEP_MS, sendPoints, takeCounts } from "./day.ts";

type Shares = Pick<Counted, "points" | "requests" | "counts" | "rows" | "processorMs">;

/**
 * An hour of trackers whose points come one by one, as many in a second as those of a thousand that send every ten seconds:
 * what comes at the same time is stored together, and time there is ours, so that some trackers stand for all. What was
 * counted, for one of them and a day.
 */
export async function countFleet({ stack, databases, account }: DayStart): Promise<Shares> {
  const start = Math.floor(systemNow() / 1000) * 1000 - 2 * HOUR_MS;
  await stack.workers.ask("geo", `/begin/${start - STEP_MS}`);
  const vans = [];
  for (let number = 0; number < TRACKERS; number++) {
    const { device_id } = await registerTracker(account, `Of many ${number}`);
    const next = newDrive(number, start - STEP_MS, STEP_MS);
    await sendPoints(stack, device_id, [next()]);
    vans.push({ device_id, next });
  }
  await takeCounts(stack);
  databases.take();
  const processorMs = stack.processorMs();
  const sending: Promise<void>[] = [];
  const began = performance.now();
  let due = 0;
  for (let step = 0; step < HOUR_MS / STEP_MS; step++) {
    for (const { device_id, next } of vans) {
      // Nobody waits for anybody: the gaps are those of chance.
      due += -Math.log(1 - Math.random()) * GAP_MS;
      await pause(Math.max(0, began + due - performance.now()));
      sending.push(sendPoints(stack, device_id, [next()]));
    }
  }
  await Promise.all(sending);
  const { written, read } = databases.take();
  const share = 24 / TRACKERS;
  const counts = Object.entries(await takeCounts(stack)).map(([name, count]) => [name, count * share]);
  return {
    points: sending.length * share,
    requests: sending.length * share,
    counts: Object.fromEntries(counts),
    rows: { written: written * share, read: read * share },
    processorMs: (stack.processorMs() - processorMs) * share,
  };
}

const TRACKERS = 50;
/** Between two points of a thousand trackers. */
const GAP_MS = STEP_MS / 1000;
