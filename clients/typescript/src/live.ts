import { ApiError } from "./api-error.ts";
import { backoffMs, type Pause } from "./pause.ts";
import type { Session } from "./session.ts";

type Target = { type: "all" } | { type: "selected"; tracker_ids: number[] };

/** A request of a subscription, as the API describes it under "Live states". */
export type LiveRequest =
  | { type: "state"; trackers: number[]; format?: "full" | "compact" }
  | { type: "state_batch"; target: Target; rate_limit?: string; format?: "full" | "compact" }
  | {
      type: "readings_batch";
      target: Target;
      rate_limit?: string;
      sensor_type?: string;
      include_components?: boolean;
    }
  | { type: "iot_monitor"; target: Target; rate_limit?: string };

/** An event of the socket: `data` is that of the request's kind. */
export type LiveMessage = { event: string; data: unknown; user_time?: string };

export type LiveOptions = {
  signal?: AbortSignal;
  /** Called with true once a subscription is accepted, and with false when its connection has ended. */
  onConnection?: (isConnected: boolean) => void;
};

type Source = LiveOptions & { url: string; session: Session; requests: LiveRequest[]; pause: Pause };

const MAX_SILENCE_MS = 75_000;

/** Messages of connections, one connection after the other. */
export async function* readLive(source: Source): AsyncGenerator<LiveMessage> {
  const { url, session, requests, pause, signal, onConnection } = source;
  for (let failures = 0; !signal?.aborted; failures++) {
    if (failures > 0) await pause(backoffMs(failures), signal).catch(() => {});
    if (signal?.aborted) return;
    const hash = await session.hash();
    for await (const message of messagesOf(url, { action: "subscribe", hash, requests }, signal)) {
      failures = 0;
      if (message.type === "error") {
        const refusal = refusalIn(message);
        if (!((refusal.code === 3 || refusal.code === 4) && (await session.renew(hash)))) throw refusal;
        break;
      }
      if (message.type === "response") onConnection?.(true);
      if (message.event === "logout" && !(await session.renew(hash))) throw new Error("The session has ended.");
      if (message.type === "event") yield toLiveMessage(message);
    }
    onConnection?.(false);
  }
}

type Message = Record<string, unknown>;

/** The JSON messages of a socket; ends with the connection, whatever ends it. */
async function* messagesOf(url: string, subscription: object, signal?: AbortSignal): AsyncGenerator<Message> {
  const socket = new WebSocket(url);
  const received: Message[] = [];
  let wake = () => {};
  let isOpen = true;
  const end = () => {
    isOpen = false;
    wake();
  };
  // A network may lose a connection without a word; the server sends a heartbeat every 30 seconds.
  let silence = setTimeout(end, MAX_SILENCE_MS);
  socket.addEventListener("open", () => socket.send(JSON.stringify(subscription)));
  socket.addEventListener("message", ({ data }) => {
    clearTimeout(silence);
    silence = setTimeout(end, MAX_SILENCE_MS);
    // Frames that are no JSON are the handshake and heartbeats.
    if (typeof data === "string" && data.startsWith("{")) received.push(JSON.parse(data));
    wake();
  });
  socket.addEventListener("close", end);
  socket.addEventListener("error", end);
  signal?.addEventListener("abort", end);
  try {
    while (isOpen || received.length > 0) {
      const message = received.shift();
      if (message) yield message;
      else await new Promise<void>((resolve) => (wake = resolve));
      if (signal?.aborted) return;
    }
  } finally {
    clearTimeout(silence);
    signal?.removeEventListener("abort", end);
    socket.close();
  }
}

function refusalIn(message: Message): ApiError {
  return new ApiError("/event/subscription", new Response(), message);
}

function toLiveMessage({ event, data, user_time }: Message): LiveMessage {
  return { event: String(event), data, ...(typeof user_time === "string" ? { user_time } : {}) };
}
