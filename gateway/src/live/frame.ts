import { ERRORS } from "#shared/error/api-error.ts";
import { reasonOf } from "#shared/error/failure.ts";
import { logFailedCall } from "#shared/operation/call-log.ts";
import type { Action, LiveRequest } from "./client-message.ts";

export const HEARTBEAT = "X";

/** The first frame of a connection: its id, the interval of heartbeats, and their text. */
export function toHandshakeFrame(id: string, heartbeatMs: number): string {
  return `${id}|${heartbeatMs}|${HEARTBEAT}|`;
}

export function toResponseFrame(action: Action, events: string[], data: unknown): string {
  return JSON.stringify({ type: "response", action: `subscription/${action}`, events, data });
}

/** The frame of a failed message; the log has it under the name of the socket's object. */
export function toFailureFrame(id: string | undefined, action: Action | null, thrown: unknown, data: object): string {
  const { code, extra, log } = reasonOf(thrown);
  const path = `/event/subscription/${action ?? ""}`;
  if (log) logFailedCall({ request_id: id ?? "", worker: "gateway", path, code, error: log });
  const status = { code, description: ERRORS[code][1] };
  return JSON.stringify({ type: "error", action: action && `subscription/${action}`, status, ...extra, data });
}

/** Frames of events; `items` are JSON. `state` has a frame for each item, other types one frame with all items. */
export function toEventFrames(type: LiveRequest["type"], items: string[], user_time: string): string[] {
  if (type === "state") return items.map((item) => toEventFrame(type, item, user_time));
  // Without `user_time`: all times of this event are in UTC.
  if (type === "iot_monitor") return [toEventFrame(type, `{"iot_last_values":[${items.join(",")}]}`)];
  return [toEventFrame(type, `[${items.join(",")}]`, user_time)];
}

/** The frame of an event; `data` is JSON. */
export function toEventFrame(name: string, data: string, user_time?: string): string {
  const time = user_time ? `,"user_time":"${user_time}"` : "";
  return `{"type":"event","event":"${name}"${time},"data":${data}}`;
}
