import { ERRORS } from "#shared/error/api-error.ts";
import { reasonOf } from "#shared/error/failure.ts";
import type { Action, LiveRequest } from "./client-message.ts";

export const HEARTBEAT = "X";

/** The first frame: the connection's id, how often there is a heartbeat, and what it looks like. */
export function toHandshakeFrame(id: string, heartbeatMs: number): string {
  return `${id}|${heartbeatMs}|${HEARTBEAT}|`;
}

export function toResponseFrame(action: Action, toEventFrames: string[], data: unknown): string {
  return JSON.stringify({ type: "response", action: `subscription/${action}`, toEventFrames, data });
}

export function toFailureFrame(action: Action | null, thrown: unknown, data: object): string {
  const { code, extra, log } = reasonOf(thrown);
  if (log) console.error(JSON.stringify({ socket: action, error: log }));
  const status = { code, description: ERRORS[code][1] };
  return JSON.stringify({ type: "error", action: action && `subscription/${action}`, status, ...extra, data });
}

/** Events of one kind, whose parts are JSON already, one by one or together as the kind has it. */
export function events(type: LiveRequest["type"], parts: string[], user_time: string): string[] {
  if (type === "state") return parts.map((part) => toEventFrame(type, part, user_time));
  // Its times are all in UTC.
  if (type === "iot_monitor") return [toEventFrame(type, `{"iot_last_values":[${parts.join(",")}]}`)];
  return [toEventFrame(type, `[${parts.join(",")}]`, user_time)];
}

/** `data` is JSON already. */
export function toEventFrame(name: string, data: string, user_time?: string): string {
  const time = user_time ? `,"user_time":"${user_time}"` : "";
  return `{"type":"event","event":"${name}"${time},"data":${data}}`;
}
