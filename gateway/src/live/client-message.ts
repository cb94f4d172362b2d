import * as z from "zod";
import { isObject } from "#shared/body/json.ts";
import { STATE_FORMATS } from "#shared/contract/live.ts";
import { invalid } from "#shared/error/api-error.ts";
import { offencesOf, readerOf } from "#shared/operation/parameters.ts";
import { clockOf } from "#shared/time/clock.ts";
import { timespanMs } from "./timespan.ts";

export const ACTIONS = ["subscribe", "unsubscribe"] as const;
export type Action = (typeof ACTIONS)[number];

/** A bound for parsing; `SOCKET_TRACKERS` of the installation limits the trackers of a socket. */
const trackerIds = () => z.array(z.int()).max(100_000);
const format = z.enum(STATE_FORMATS).default("full");
const rateLimit = z
  .string()
  .refine((text) => timespanMs(text) !== undefined, { error: "must be a timespan such as 5s, a day at the most" })
  .transform((text) => timespanMs(text) ?? 0)
  .nullish();

const Target = z.discriminatedUnion("type", [
  z.object({ type: z.literal("all") }),
  z.object({ type: z.literal("selected"), tracker_ids: trackerIds() }),
]);

const Request = z.discriminatedUnion("type", [
  z.object({ type: z.literal("state"), trackers: trackerIds(), format }),
  z.object({ type: z.literal("state_batch"), target: Target, rate_limit: rateLimit, format }),
  z.object({
    type: z.literal("readings_batch"),
    target: Target,
    rate_limit: rateLimit,
    sensor_type: z.string().min(1).max(64).nullish(),
    include_components: z.boolean().default(true),
  }),
  z.object({ type: z.literal("iot_monitor"), target: Target, rate_limit: rateLimit }),
]);

const Message = z.object({
  action: z.enum(ACTIONS),
  requests: z.array(Request).min(1).max(100).optional(),
  trackers: trackerIds().optional(),
  events: z.array(z.literal("state")).min(1).max(1).optional(),
  format,
});

/** The data that a client subscribes to, and its trackers: all that the caller sees, or those with these ids. */
export type LiveRequest = {
  type: z.output<typeof Request>["type"];
  trackers: "all" | number[];
  format: (typeof STATE_FORMATS)[number];
  rateMs: number;
  /** The chosen sensors; `readings_batch` only. */
  readings?: { sensor_type: string | null; include_components: boolean };
};

/** `isLegacy`: in the older form without `requests`, which gets answers in that form. */
export type ClientMessage = { action: Action; requests: LiveRequest[]; isLegacy: boolean };

/** Validates a parsed message; 7 with the name of the first wrong member. */
export function readMessage(message: Record<string, unknown>): ClientMessage {
  const read = readerOf(Message)(message, "", false, { clock: clockOf({}, "UTC", false), offences: [] });
  const parsed = Message.safeParse(read);
  if (!parsed.success) {
    const [{ parameter, error } = { parameter: "action", error: "is wrong" }] = offencesOf(
      parsed.error.issues,
      message,
    );
    throw invalid(parameter, error);
  }
  const { action, requests, trackers, events, format } = parsed.data;
  if (requests) return { action, requests: requests.map(toRequest), isLegacy: false };
  if (!events) throw invalid("requests", "is required");
  return { action, requests: [{ type: "state", trackers: trackers ?? [], format, rateMs: 0 }], isLegacy: true };
}

/** The action, events and trackers of a refused message, as far as they are readable, for the error's frame. */
export function toErrorContext(message: unknown) {
  if (!isObject(message)) return { action: null, data: {} };
  const action = ACTIONS.find((known) => known === message.action) ?? null;
  const requests = (Array.isArray(message.requests) ? message.requests : []).filter(isObject);
  const types = requests.flatMap(({ type }) => (typeof type === "string" ? type.slice(0, 50) : []));
  const [first] = requests;
  const trackers =
    message.trackers ?? first?.trackers ?? (isObject(first?.target) ? first.target.tracker_ids : undefined);
  const ids = (Array.isArray(trackers) ? trackers : [])
    .filter((id) => typeof id === "number")
    .slice(0, MAX_VALUES_IN_ERROR);
  return {
    action,
    data: { events: types.length > 0 ? types.slice(0, MAX_VALUES_IN_ERROR) : ["state"], trackers: ids },
  };
}

function toRequest(request: z.output<typeof Request>): LiveRequest {
  if (request.type === "state") return { ...request, rateMs: 0 };
  const { type, target, rate_limit } = request;
  const trackers = target.type === "all" ? "all" : target.tracker_ids;
  if (type === "state_batch") return { type, format: request.format, trackers, rateMs: rate_limit ?? 0 };
  const queried = { format: "compact", trackers, rateMs: Math.max(rate_limit ?? 0, MIN_QUERY_INTERVAL_MS) } as const;
  if (type === "iot_monitor") return { type, ...queried };
  const readings = { sensor_type: request.sensor_type ?? null, include_components: request.include_components };
  return { type, ...queried, readings };
}

/** Data that must be queried is sent at most once a second, however often points arrive. */
const MIN_QUERY_INTERVAL_MS = 1000;
const MAX_VALUES_IN_ERROR = 100;
