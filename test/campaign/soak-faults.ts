import { setTimeout as pause } from "node:timers/promises";
import { WORKERS, type WorkerName } from "../../scripts/workers.ts";
import { systemNow } from "../../shared/time/clock.ts";
import type { Chance } from "./chance.ts";
import type { SmallDisk } from "./soak-disk.ts";
import { databaseOf, type Installation, RUNTIME } from "./soak-installation.ts";

export type Fault =
  | { kind: "kill database" | "hold database"; worker: WorkerName }
  | { kind: "kill workerd" | "kill everything" | "fill the disk" };
/** `atMs` counts from the start of the load. */
export type PlannedFault = { fault: Fault; atMs: number };

/** Memory is compared between the second of these parts and the last: a minute each, or less in a short run. */
export function minuteOf(seconds: number): number {
  return Math.min(60, seconds / 7);
}

/**
 * Each fault once in about five minutes, spread over the run. What ends workerd comes after the second minute and before
 * half of the run is over: the memory of the last minute is then that of a process that has worked for long.
 */
export function planFaults(chance: Chance, seconds: number): PlannedFault[] {
  const rounds = Math.max(1, Math.round(seconds / 300));
  const ending: Fault[] = [{ kind: "kill workerd" }, { kind: "kill everything" }];
  const endings = shuffle(
    repeatFaults(rounds, () => ending),
    chance,
  );
  const others = shuffle(
    repeatFaults(rounds, () => otherFaults(chance)),
    chance,
  );
  const count = endings.length + others.length;
  const starts = Array.from({ length: count }, (_, slot) => ((slot + 0.25 + chance.next() / 2) * seconds) / count);
  const allowed = starts.filter((start) => start >= 2 * minuteOf(seconds) && start <= seconds / 2);
  const endingStarts = new Set(shuffle(allowed, chance).slice(0, endings.length));
  return starts.flatMap((start) => {
    const fault = (endingStarts.has(start) ? endings : others).pop();
    return fault ? [{ fault, atMs: start * 1000 }] : [];
  });
}

/** Does the faults one after the other and knows when something was wrong on purpose. */
export class Attack {
  readonly offences: string[] = [];
  readonly done: string[] = [];
  readonly #installation: Installation;
  readonly #disk: SmallDisk | undefined;
  #last = { words: "", endMs: 0 };

  constructor(installation: Installation, disk: SmallDisk | undefined) {
    this.#installation = installation;
    this.#disk = disk;
  }

  /** The fault that was active at any moment since then, or has just ended; undefined: none. */
  disturbance(sinceMs: number): string | undefined {
    return sinceMs <= this.#last.endMs + SETTLING_MS ? this.#last.words : undefined;
  }

  /** Where one takes longer than planned, those behind it begin later. */
  async carryOut(plan: PlannedFault[], say: (line: string) => void) {
    const start = systemNow();
    for (const { fault, atMs } of plan) {
      await pause(Math.max(0, start + atMs - systemNow()));
      const began = systemNow();
      const words = `${fault.kind}${"worker" in fault ? ` ${fault.worker}` : ""}`;
      this.#last = { words, endMs: Number.POSITIVE_INFINITY };
      const isPossible = await this.#commit(fault).catch((error) => {
        this.offences.push(`${words}: ${error instanceof Error ? error.message : error}`);
        return true;
      });
      const isBack = await until(() => this.#installation.isHealthy());
      this.#last.endMs = systemNow();
      if (!isBack) this.offences.push(`${words}: not healthy again after ${MAX_FAULT_MS / 1000} s`);
      if (isPossible) this.done.push(words);
      const outcome = isPossible
        ? `healthy again after ${seconds(systemNow() - began)}`
        : "skipped, no disk can be mounted";
      say(`${seconds(began - start).padStart(9)}  ${words.padEnd(24)} ${outcome}`);
    }
  }

  /** False where this machine does not allow it. */
  async #commit(fault: Fault): Promise<boolean> {
    const installation = this.#installation;
    if (fault.kind === "kill database") await this.#killOne(databaseOf(fault.worker));
    if (fault.kind === "kill workerd") await this.#killOne(RUNTIME);
    if (fault.kind === "kill everything") {
      await installation.killAll();
      await installation.start();
    }
    if (fault.kind === "hold database") {
      installation.hold(databaseOf(fault.worker));
      await pause(HOLD_MS).finally(() => installation.release(databaseOf(fault.worker)));
    }
    if (fault.kind === "fill the disk") {
      if (!this.#disk) return false;
      if (!this.#disk.holds(FEEDS)) throw new Error("feeds store nothing on the disk that is to be filled");
      this.#disk.fill();
      await pause(FULL_MS);
      this.#disk.free();
    }
    return true;
  }

  async #killOne(command: string) {
    const killed = this.#installation.kill(command);
    const isReplaced = await until(async () => this.#installation.isReplaced(command, killed));
    if (!isReplaced) throw new Error(`no other process took its place within ${MAX_FAULT_MS / 1000} s`);
  }
}

async function until(isSo: () => Promise<boolean>): Promise<boolean> {
  const deadline = systemNow() + MAX_FAULT_MS;
  while (systemNow() < deadline) {
    if (await isSo()) return true;
    await pause(100);
  }
  return false;
}

function otherFaults(chance: Chance): Fault[] {
  const kills = WORKERS.map((worker): Fault => ({ kind: "kill database", worker }));
  return [...kills, { kind: "hold database", worker: chance.pick(WORKERS) }, { kind: "fill the disk" }];
}

function repeatFaults<Item>(times: number, make: () => Item[]): Item[] {
  return Array.from({ length: times }, make).flat();
}

function shuffle<Item>(items: Item[], chance: Chance): Item[] {
  const keyed = items.map((item) => ({ item, key: chance.next() }));
  return keyed.sort((one, other) => one.key - other.key).map(({ item }) => item);
}

function seconds(ms: number) {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** In the name of the folder that the runtime makes for them. */
const FEEDS = "TrackerFeed";
const HOLD_MS = 15_000;
const FULL_MS = 5_000;
/** Connections that a killed process leaves behind may break a moment after it is back. */
const SETTLING_MS = 2_000;
const MAX_FAULT_MS = 60_000;
