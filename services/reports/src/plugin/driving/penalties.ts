import * as z from "zod";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { TrackerData } from "../../definition/tracker-data.ts";
import { ignitionOf } from "../../series/ignition.ts";

const Points = z.int().min(0).max(10_000);
const HARSH = [
  ...(["harshAcceleration", "harshBraking", "harshTurn"] as const),
  ...(["harshAccelerationNTurn", "harshBrakingNTurn", "harshQuickLaneChange"] as const),
] as const;
type Harsh = (typeof HARSH)[number];

/** The parameters that decide on penalties. */
export const PENALTIES = {
  /** km/h; with `use_vehicle_speed_limit` the limit of the vehicle takes precedence. */
  speed_limit: z.int().min(1).max(400).default(90),
  use_vehicle_speed_limit: z.boolean().default(false),
  /** Penalties by the km/h above the limit from which they apply. */
  speeding_penalties: z
    .record(z.string().regex(/^\d{1,3}$/, { error: "must be km/h over the limit" }), Points)
    .refine((steps) => Object.keys(steps).length <= 20, { error: "must be at most 20" })
    .default({ 10: 2, 20: 10, 30: 25, 50: 75 }),
  harsh_driving_penalties: z.partialRecord(z.enum(HARSH), Points).default({}),
  idling_penalty: Points.default(5),
  /** Minutes. */
  min_idling_duration: z.int().min(1).max(1440).default(5),
  min_speeding_duration: z.int().min(0).max(1440).default(1),
};
export type PenaltyOptions = z.output<z.ZodObject<typeof PENALTIES>>;

export type Kind = "speeding" | "harsh" | "idling";
export type Offence = {
  kind: Kind;
  start_time: number;
  end_time: number;
  penalty: number;
  detail: string;
  lat: number;
  lng: number;
  points: number;
};
/** The offences of a drive, and its points: their number, the first and the last. */
export type DrivingResult = { offences: Offence[]; meters: number; points: number; ends: TimedPosition[] };
type TimedPosition = { time: number; lat: number; lng: number };

/** Finds offences: speeding, harsh driving, and idling with the engine on. */
export async function judgeDriving(
  data: TrackerData,
  options: PenaltyOptions,
  counts: (ms: number) => boolean = () => true,
): Promise<DrivingResult> {
  const equipment = await data.equipment();
  const ignition = ignitionOf(equipment);
  const own = options.use_vehicle_speed_limit ? equipment.vehicle?.max_speed : undefined;
  const judge = new Judge(options, own ?? options.speed_limit);
  for await (const page of data.points([...ignition.attributes, "event", "alarm"])) {
    for (const point of page) {
      if (counts(point.time)) judge.add(point, ignition.isOn(point) !== false);
      else judge.pause();
    }
  }
  return judge.close();
}

type Point = Parameters<ReturnType<typeof ignitionOf>["isOn"]>[0];
type OpenOffence = { start_time: number; end_time: number; most: number; lat: number; lng: number; points: number };

class Judge {
  #options: PenaltyOptions;
  #limit: number;
  #steps: [over: number, penalty: number][];
  #speeding: OpenOffence | undefined;
  #idling: OpenOffence | undefined;
  #judged: DrivingResult = { offences: [], meters: 0, points: 0, ends: [] };

  constructor(options: PenaltyOptions, limit: number) {
    this.#options = options;
    this.#limit = limit;
    this.#steps = Object.entries(options.speeding_penalties)
      .map(([over, penalty]): [number, number] => [Number(over), penalty])
      .toSorted(([one], [other]) => other - one);
  }

  add(point: Point, isOn: boolean) {
    if (!point.follows || point.step_ms > MAX_SILENCE_MS) this.#end();
    this.#judged.meters += point.step_meters;
    this.#judged.points++;
    this.#judged.ends = [this.#judged.ends[0] ?? point, point];
    const isFast = point.speed > this.#limit;
    if (!isFast) this.#endSpeeding();
    else this.#speeding = extend(this.#speeding, point);
    const isIdle = isOn && point.speed < MAX_IDLE_KMH;
    if (!isIdle) this.#endIdling();
    else this.#idling = extend(this.#idling, point);
    for (const name of deviceEventsOf(point)) this.#harsh(name, point);
  }

  /** Ends open offences: the following points do not count. */
  pause() {
    this.#end();
  }

  close(): DrivingResult {
    this.#end();
    this.#judged.offences.sort((one, other) => one.start_time - other.start_time);
    return this.#judged;
  }

  #end() {
    this.#endSpeeding();
    this.#endIdling();
  }

  #endSpeeding() {
    const open = this.#speeding;
    this.#speeding = undefined;
    if (!open || open.end_time - open.start_time < this.#options.min_speeding_duration * MINUTE_MS) return;
    const penalty = this.#steps.find(([over]) => open.most - this.#limit >= over)?.[1] ?? 0;
    if (penalty > 0) this.#note({ ...open, kind: "speeding", penalty, detail: `${Math.round(open.most)} km/h` });
  }

  #endIdling() {
    const open = this.#idling;
    this.#idling = undefined;
    const { min_idling_duration, idling_penalty: penalty } = this.#options;
    if (!open || open.end_time - open.start_time < min_idling_duration * MINUTE_MS || penalty === 0) return;
    this.#note({ ...open, kind: "idling", penalty, detail: "" });
  }

  #harsh(name: string, { time, lat, lng }: Point) {
    const kind = DEVICE_EVENTS[name] ?? HARSH.find((harsh) => harsh === name);
    const penalty = kind ? (this.#options.harsh_driving_penalties[kind] ?? 0) : 0;
    if (kind && penalty > 0) {
      this.#note({ kind: "harsh", start_time: time, end_time: time, penalty, detail: kind, lat, lng, points: 1 });
    }
  }

  #note({ kind, start_time, end_time, penalty, detail, lat, lng, points }: Offence) {
    this.#judged.offences.push({ kind, start_time, end_time, penalty, detail, lat, lng, points });
  }
}

function extend(open: OpenOffence | undefined, { time, lat, lng, speed }: Point): OpenOffence {
  if (!open) return { start_time: time, end_time: time, most: speed, lat, lng, points: 1 };
  open.end_time = time;
  open.points++;
  open.most = Math.max(open.most, speed);
  return open;
}

/** The events that a device reports with a point, separated by commas. */
function deviceEventsOf({ attributes }: Point): string[] {
  if (!attributes) return [];
  const names = [attributes.event, attributes.alarm].flatMap((value) =>
    typeof value === "string" ? value.split(",") : [],
  );
  return [...new Set(names.map((name) => name.trim()))];
}

/** Names of the same events in other device protocols. */
const DEVICE_EVENTS: Record<string, Harsh> = {
  hardAcceleration: "harshAcceleration",
  hardBraking: "harshBraking",
  hardCornering: "harshTurn",
};
const MAX_IDLE_KMH = 3;
const MAX_SILENCE_MS = 30 * MINUTE_MS;
