import type { Point } from "../point/point.ts";
import type { Attributes } from "./attributes.ts";
import type { Fields } from "./fields.ts";
import type { TimeLimits } from "./time.ts";

/** A request as the parsers see it: read, its JSON parsed, nothing judged. */
export type IngestRequest = TimeLimits & {
  query: Fields;
  form: Fields | null;
  /** undefined: the body was empty or is a form. */
  json: unknown;
  /** A batch that needed no parsing; then `json` is undefined. */
  batch: CompactBatch | null;
  header(name: string): string | null;
};

/** What a device told about itself at `time`; true also when no position came with it. */
export type Facts = {
  time?: number;
  battery_level?: number; // percent
  charging?: boolean;
  moving?: boolean;
  odometer_m?: number;
  event?: string; // what made the device report, in its own words
  attributes?: Attributes; // of a report without a position; otherwise they are the point's
};

/** All that one request brings for one device. */
export type Message = {
  device_id: string;
  key: string | null;
  points: Point[];
  /** Instead of the points, where they have never been apart. */
  encoded?: Uint8Array;
  facts: Facts;
};

/** A batch in which all is as it should be: its points in their raw form. */
export type CompactBatch = { device_id: string; points: Uint8Array };

/** One report of a device before the request's reports are put together. */
export type Report = { device_id: string; point: Point | null; facts: Facts };

/** As `/ingest/points` allows; the other formats' batches are bounded alike. */
export const MAX_POINTS = 1000;

/** One message per device, so that each tracker is reached once; of its facts the latest stand. */
export function groupByDevice(reports: Report[], key: string | null): Message[] {
  const messages = new Map<string, Message>();
  for (const { device_id, point, facts } of reports) {
    const message = messages.get(device_id) ?? { device_id, key, points: [], facts: {} };
    messages.set(device_id, message);
    if (point) message.points.push(point);
    const isLater = (facts.time ?? 0) >= (message.facts.time ?? 0);
    message.facts = isLater
      ? { ...message.facts, ...withoutUndefined(facts) }
      : { ...withoutUndefined(facts), ...message.facts };
  }
  return [...messages.values()];
}

/** Without the members that are undefined: they would hide what an earlier report knew. */
function withoutUndefined(facts: Facts): Facts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
