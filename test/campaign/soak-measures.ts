import { setTimeout as pause } from "node:timers/promises";
import type { Caller } from "./soak-caller.ts";
import type { Finding } from "./soak-checks.ts";

/** Load beside a call; undefined when it changed during the call. */
export type Company = "nobody" | "others" | undefined;
type Wait = { tookMs: number; company: Company };

/** An account that asks for one vehicle ten times a second, whatever the others do. */
export class QuietAccount {
  readonly #caller: Caller;
  readonly #vehicleId: number;
  readonly #waits: Wait[] = [];

  constructor(caller: Caller, vehicleId: number) {
    this.#caller = caller;
    this.#vehicleId = vehicleId;
  }

  /** Calls count as alone only when no other account worked from their beginning to their end. */
  async ask(isOver: () => boolean, companyOf: () => Company) {
    while (!isOver()) {
      const company = companyOf();
      const beganMs = performance.now();
      const reply = await this.#caller.call("/vehicle/read", { vehicle_id: this.#vehicleId });
      const tookMs = performance.now() - beganMs;
      if (reply && (company === "others" || companyOf() === company)) this.#waits.push({ tookMs, company });
      await pause(QUIET_PAUSE_MS);
    }
  }

  finding(): Finding {
    const [aloneMs, loadedMs] = [this.#medianMs("nobody"), this.#medianMs("others")];
    const ratio = loadedMs / aloneMs;
    const found = `${ratio.toFixed(2)} (${loadedMs.toFixed(1)} ms to ${aloneMs.toFixed(1)} ms)`;
    const offences =
      ratio <= MAX_WAIT_RATIO ? [] : [`a quiet account waited ${ratio.toFixed(2)} times as long as alone`];
    return { checked: `wait under load, at most ${MAX_WAIT_RATIO}`, found, offences };
  }

  #medianMs(company: Company) {
    return median(this.#waits.filter((wait) => wait.company === company).map(({ tookMs }) => tookMs));
  }
}

/** Memory of workerd, looked at every second. */
export class Memory {
  readonly #samples: { atMs: number; bytes: number }[] = [];

  note(atMs: number, bytes: number | undefined) {
    if (bytes !== undefined) this.#samples.push({ atMs, bytes });
  }

  /** Medians: one look may come upon a collection of garbage that is due. */
  finding(minuteMs: number, endMs: number): Finding {
    const [early, late] = [this.#within(minuteMs, 2 * minuteMs), this.#within(endMs - minuteMs, endMs)];
    const ratio = late / early;
    const found = `${ratio.toFixed(2)} (${megabytes(late)} to ${megabytes(early)})`;
    const offences =
      ratio <= MAX_MEMORY_RATIO ? [] : [`workerd's memory grew to ${ratio.toFixed(2)} times of the second minute's`];
    return { checked: `memory of workerd, at most ${MAX_MEMORY_RATIO}`, found, offences };
  }

  #within(fromMs: number, toMs: number) {
    return median(this.#samples.filter(({ atMs }) => atMs >= fromMs && atMs < toMs).map(({ bytes }) => bytes));
  }
}

function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function megabytes(bytes: number) {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}

const QUIET_PAUSE_MS = 100;
const MAX_WAIT_RATIO = 2;
const MAX_MEMORY_RATIO = 1.5;
