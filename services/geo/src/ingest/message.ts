import type { Point } from "../point/point.ts";
import type { Attributes } from "./attributes.ts";
import type { Fields } from "./fields.ts";
import type { TimeLimits } from "./time.ts";

/** A device's request as the parsers receive it: query, form and JSON are parsed, values are not validated. */
export type IngestRequest = TimeLimits & {
  query: Fields;
  form: Fields | null;
  /** Undefined if the body was empty or a form. */
  json: unknown;
  /** A batch that was read without parsing JSON; then `json` is undefined. */
  batch: CompactBatch | null;
  header(name: string): string | null;
};

/** Values that a device sent about itself at `time`; `time` counts also without a position. */
export type Facts = {
  time?: number;
  battery_level?: number; // percent
  charging?: boolean;
  moving?: boolean;
  odometer_m?: number;
  event?: string; // what made the device report, in its own words
  attributes?: Attributes; // of a report without a position; otherwise they are the point's
};

/** All points and facts of one device in a request. */
export type Message = ParsedMessage | RawMessage;
type MessageHead = { device_id: string; key: string | null; facts: Facts };
export type ParsedMessage = MessageHead & { form: "parsed"; points: Point[] };
/** A message whose points are encoded in raw form and were never objects. */
type RawMessage = MessageHead & { form: "raw"; bytes: Uint8Array };

/** A valid batch with its points in raw form. */
export type CompactBatch = { device_id: string; bytes: Uint8Array };

/** One report of a device, before reports are grouped by device. */
export type Report = { device_id: string; point: Point | null; facts: Facts };

/** The limit of `/ingest/points`, applied to all formats. */
export const MAX_POINTS = 1000;

/** Groups reports by device, so that each feed is called once; later facts overwrite earlier ones. */
export function groupByDevice(reports: Report[], key: string | null): ParsedMessage[] {
  const messages = new Map<string, ParsedMessage>();
  for (const { device_id, point, facts } of reports) {
    const message = messages.get(device_id) ?? { form: "parsed", device_id, key, points: [], facts: {} };
    messages.set(device_id, message);
    if (point) message.points.push(point);
    const isLater = (facts.time ?? 0) >= (message.facts.time ?? 0);
    message.facts = isLater
      ? { ...message.facts, ...withoutUndefined(facts) }
      : { ...withoutUndefined(facts), ...message.facts };
  }
  return [...messages.values()];
}

/** Drops undefined members, which would hide values of earlier reports. */
function withoutUndefined(facts: Facts): Facts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
