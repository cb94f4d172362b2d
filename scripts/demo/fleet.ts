import type { FleetClient } from "../../clients/typescript/src/client.ts";
import { pacedRequests, signedInClient } from "./client.ts";
import { createTasks } from "./content/tasks.ts";
import { dayOf } from "./drive/circuit.ts";
import { type Drives, readDrives } from "./drive/drives.ts";
import { FleetMotion, historyStart } from "./drive/motion.ts";
import { pointSender } from "./drive/send-points.ts";
import { VEHICLES } from "./drive/vehicles.ts";
import { type Progress, saveProgress } from "./progress.ts";
import { seedFleet } from "./seed.ts";

type Options = {
  baseUrl: string;
  /** The file that remembers the progress. */
  file: string;
  progress: Progress;
  now: () => number;
  pause: (ms: number) => Promise<unknown>;
  signal?: AbortSignal;
  /** The time at which the history of the vehicles begins; some days ago unless given. */
  since?: number;
};

const MS_BETWEEN_ADVANCES = 5_000;
const MIN_MS_AFTER_FAILURE = 10_000;
const MAX_MS_AFTER_FAILURE = 600_000;

/**
 * Advances the fleet until the signal is aborted. The system may be away for a while: then the same is tried again, after twice
 * the time. Only the first failure in a row is reported.
 */
export async function runDemoFleet(options: Options & { signal: AbortSignal }, report: (problem: string) => void) {
  const { signal, pause } = options;
  const fleet = await DemoFleet.open(options);
  let failures = 0;
  while (!signal.aborted) {
    try {
      await fleet.advance();
      failures = 0;
    } catch (error) {
      failures++;
      if (failures === 1 && !signal.aborted) report(error instanceof Error ? error.message : String(error));
    }
    const backoffMs = Math.min(MAX_MS_AFTER_FAILURE, MIN_MS_AFTER_FAILURE * 2 ** (failures - 1));
    await pause(failures > 0 ? backoffMs : MS_BETWEEN_ADVANCES);
  }
}

/** The fleet of the demo account: made once, then driven on with each `advance`. */
export class DemoFleet {
  readonly #options: Options;
  readonly #client: FleetClient;
  readonly #drives: Drives;
  readonly #motion: FleetMotion;
  #isCaughtUp = false;

  private constructor(options: Options, drives: Drives) {
    const { baseUrl, progress, pause, signal } = options;
    const request = pacedRequests(pause, signal);
    this.#options = options;
    this.#drives = drives;
    this.#client = signedInClient(baseUrl, progress, request);
    this.#motion = new FleetMotion(progress.devices, drives, pointSender(baseUrl, request));
  }

  static async open(options: Options): Promise<DemoFleet> {
    return new DemoFleet(options, await readDrives());
  }

  /** Makes what is missing, then sends the points that are due. */
  async advance(): Promise<void> {
    const { progress, now } = this.#options;
    if (!progress.seeded) await this.#seed();
    // Before the points of the day are sent: visits since midnight count.
    if (progress.task_day !== dayOf(now())) await this.createTasks(now);
    if (!this.#isCaughtUp) await this.#catchUp();
    await this.#motion.advance(now());
  }

  /** Makes the tasks of the local day. */
  async createTasks(now: () => number): Promise<void> {
    const { progress } = this.#options;
    const day = dayOf(now());
    await createTasks(this.#client, await this.#readTrackers(), this.#drives, now);
    progress.task_day = day;
    await this.#save();
  }

  async #seed() {
    const { baseUrl, progress, now, since = historyStart(now()) } = this.#options;
    const [client, drives, motion, save] = [this.#client, this.#drives, this.#motion, () => this.#save()];
    await seedFleet({ baseUrl, client, drives, motion, progress, save, now, since });
  }

  async #catchUp() {
    const trackers = await this.#readTrackers();
    const { states } = await this.#client.call("/tracker/get_states", {
      trackers: trackers.map(({ tracker_id }) => tracker_id),
    });
    const seen = trackers.map(({ vehicle, tracker_id }): [string, number] => {
      return [vehicle.key, Date.parse(states[tracker_id]?.gps.updated ?? "") || 0];
    });
    await this.#motion.catchUp(this.#options.now(), new Map(seen));
    this.#isCaughtUp = true;
  }

  /** The vehicles whose trackers are still there: users may delete them. */
  async #readTrackers() {
    const { devices } = this.#options.progress;
    const { list } = await this.#client.call("/tracker/list");
    return VEHICLES.flatMap((vehicle) => {
      const tracker_id = devices[vehicle.key]?.tracker_id;
      return tracker_id && list.some(({ id }) => id === tracker_id) ? [{ vehicle, tracker_id }] : [];
    });
  }

  #save() {
    return saveProgress(this.#options.file, this.#options.progress);
  }
}
