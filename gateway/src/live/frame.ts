import { ERRORS } from "#shared/error/api-error.ts";
import { reasonOf } from "#shared/error/failure.ts";
import type { Action } from "./message.ts";

export const HEARTBEAT = "X";

/** The first frame: the connection's id, how often there is a heartbeat, and what it looks like. */
export function handshake(id: string, heartbeatMs: number): string {
  return `${id}|${heartbeatMs}|${HEARTBEAT}|`;
}

export function response(action: Action, events: string[], data: unknown): string {
  return JSON.stringify({ type: "response", action: `subscription/${action}`, events, data });
}

export function failure(action: Action | null, thrown: unknown, data: object): string {
  const { code, extra, log } = reasonOf(thrown);
  if (log) console.error(JSON.stringify({ socket: action, error: log }));
  const status = { code, description: ERRORS[code][1] };
  return JSON.stringify({ type: "error", action: action && `subscription/${action}`, status, ...extra, data });
}

/** `data` is JSON already. */
export function event(name: string, data: string, user_time?: string): string {
  const time = user_time ? `,"user_time":"${user_time}"` : "";
  return `{"type":"event","event":"${name}"${time},"data":${data}}`;
}
