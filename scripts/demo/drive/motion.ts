import { HOUR_MS } from "#shared/time/duration.ts";
import type { Progress } from "../progress.ts";
import { Circuit, startOfDay } from "./circuit.ts";
import type { Drives } from "./drives.ts";
import { type SendPoints, toPoint } from "./send-points.ts";
import { type FleetVehicle, VEHICLES } from "./vehicles.ts";

/** Rules evaluate points that are at most three days late. */
const PAST_DAYS = 3;
/** After a longer sleep of the machine the rounds are caught up with, as after a stop. */
const MAX_STEP_MS = 2 * HOUR_MS;

type TimeRange = { from: number; to: number };
type MovingVehicle = { vehicle: FleetVehicle; circuit: Circuit; device_id: string; sentUntil?: number };

/** The time at which the history of the fleet begins. */
export function historyStart(now: number): number {
  return startOfDay(now, PAST_DAYS);
}

/** Drives the vehicles: sends what their devices have measured since the last time. */
export class FleetMotion {
  #vehicles: MovingVehicle[];
  readonly #send: SendPoints;

  constructor(devices: Progress["devices"], drives: Drives, send: SendPoints) {
    this.#send = send;
    this.#vehicles = VEHICLES.flatMap((vehicle) => {
      const device = devices[vehicle.key];
      const circuit = new Circuit(vehicle, drives);
      return device ? [{ vehicle, circuit, device_id: device.device_id }] : [];
    });
  }

  /** Sends the past days of the vehicles that are not in `filled`; `note` is called with the key of each. */
  async fill(range: TimeRange, filled: string[], note: (key: string) => Promise<void>) {
    for (const moving of this.#vehicles) {
      const { key } = moving.vehicle;
      if (filled.includes(key)) continue;
      await this.#catchUp(moving, range);
      await note(key);
    }
  }

  /** Sends the rounds since the vehicles were last seen, by their keys: the system was off, perhaps for long. */
  async catchUp(now: number, lastSeen: Map<string, number>) {
    for (const moving of this.#vehicles) {
      if (moving.sentUntil !== undefined) continue;
      const seen = lastSeen.get(moving.vehicle.key) ?? 0;
      await this.#catchUp(moving, { from: Math.max(seen, historyStart(now)), to: now });
    }
  }

  /** Sends the points that are due by now. The number of requests is at most that of the vehicles. */
  async advance(now: number) {
    for (const moving of this.#vehicles) {
      const { circuit, vehicle, sentUntil = now } = moving;
      if (now - sentUntil > MAX_STEP_MS) {
        await this.#catchUp(moving, { from: Math.max(sentUntil, historyStart(now)), to: now });
        continue;
      }
      const points = Array.from(circuit.pointsBetween(sentUntil, now), (motion) => toPoint(vehicle, motion));
      await this.#sendUntil(moving, points, now);
    }
  }

  async #catchUp(moving: MovingVehicle, { from, to }: TimeRange) {
    const { circuit, vehicle } = moving;
    const points = Array.from(circuit.workedPointsBetween(from, to), (motion) => toPoint(vehicle, motion));
    await this.#sendUntil(moving, points, to);
  }

  async #sendUntil(moving: MovingVehicle, points: object[], now: number) {
    const isAccepted = points.length === 0 || (await this.#send(moving.device_id, points));
    moving.sentUntil = now;
    // A user deleted or blocked the tracker: its vehicle stands still until the next start.
    if (!isAccepted) this.#vehicles = this.#vehicles.filter((other) => other !== moving);
  }
}
