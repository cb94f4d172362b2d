import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { writeUtc } from "../test/tool/call/utc-time.ts";
import type { Month } from "./point/month.ts";
import type { Account } from "./tool/account.ts";
import { ATTACKS, type AttackName, type Target } from "./tool/attacker.ts";
import { compareRounds, type Figure } from "./tool/figure.ts";
import type { Stack } from "./tool/stack.ts";
import { starsAround, uploadZones } from "./tool/zones.ts";

/** Waits of the other account's calls, in milliseconds. */
type Waits = { p95: number; longest: number };

/**
 * How long another account's calls wait while one client attacks, against a calm system. The rates of addresses are
 * not limited here, as an attacker may have many addresses.
 */
export async function attackFigures(stack: Stack, attacker: Account, month: Month, other: Account): Promise<Figure[]> {
  const { id: vehicle_id } = await other.call("/vehicle/create", { vehicle: { label: "Van" } });
  const call = () => Promise.all([other.call("/base/nothing", {}), other.call("/vehicle/read", { vehicle_id })]);
  const figures: Figure[] = [];
  const rule = {
    type: "inoutzone",
    name: "Tried",
    zone_ids: await uploadZones(stack.origin, attacker, starsAround(STARS)),
  };
  const range = { trackers: [month.tracker_id], from: writeUtc(month.from), to: writeUtc(month.to) };
  const target: Target = { origin: stack.origin, hash: attacker.hash, trial: { rule, ...range } };
  const thread = new Worker(join(import.meta.dirname, "tool", "attacker.ts"));
  for (const name of Object.keys(ATTACKS) as AttackName[]) {
    // the type of the keys is lost
    const run = async () => {
      thread.postMessage({ name, target });
      await once(thread, "message");
    };
    const rounds: { calm: Waits; attacked: Waits }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const calm = await waitsDuring(call, () => pause(CALM_MS));
      rounds.push({ calm, attacked: await waitsDuring(call, run) });
    }
    const calm = rounds.map((round) => round.calm.p95);
    const described = { unit: "ms", baseline: { name: "p95 of a calm system", unit: "ms" } };
    figures.push(
      compareRounds(
        { name: `p95 of another account's calls: ${name}`, goal: { most: 10 }, ...described },
        rounds.map((round) => round.attacked.p95),
        calm,
      ),
      compareRounds(
        { name: `longest of them: ${name}`, goal: { mostValue: 1000 }, ...described },
        rounds.map((round) => round.attacked.longest),
        calm,
      ),
    );
  }
  await thread.terminate();
  return figures;
}

/** Calls one after the other, with a pause between them, until the work has ended. */
async function waitsDuring(call: () => Promise<unknown>, work: () => Promise<unknown>): Promise<Waits> {
  const waits: number[] = [];
  let isOver = false;
  const calling = (async () => {
    while (!isOver || waits.length < LEAST_CALLS) {
      const start = performance.now();
      await call();
      waits.push(performance.now() - start);
      await pause(PAUSE_MS);
    }
  })();
  await work();
  isOver = true;
  await calling;
  waits.sort((one, other) => one - other);
  return { p95: waits[Math.ceil(waits.length * 0.95) - 1] ?? Number.NaN, longest: waits.at(-1) ?? Number.NaN };
}

const ROUNDS = 3;
const CALM_MS = 1500;
const PAUSE_MS = 10;
/** Fewer have no 95th of a hundred. */
const LEAST_CALLS = 40;
const STARS = 500;
