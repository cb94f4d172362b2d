import { MINUTE_MS } from "#shared/time/duration.ts";

/** Whether the client has left so much unread that the runtime should hold no more for it. */
export function isClogged({ bufferedAmount }: WebSocket): boolean {
  return bufferedAmount > MAX_BUFFERED_BYTES;
}

/** Waits until the client has read what was sent; false if it reads nothing for `MAX_UNREAD_MS`. */
export async function isReadInTime(socket: WebSocket): Promise<boolean> {
  for (let waitedMs = 0; isClogged(socket); waitedMs += CHECK_INTERVAL_MS) {
    if (waitedMs >= MAX_UNREAD_MS) return false;
    await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS));
  }
  return true;
}

const MAX_BUFFERED_BYTES = 1024 * 1024;
const MAX_UNREAD_MS = MINUTE_MS;
const CHECK_INTERVAL_MS = 100;
