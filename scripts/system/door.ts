import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";

export type DoorSettings = {
  /** The address and port of the door; the runtime behind it listens on `runtimePort`. */
  host: string;
  port: number;
  runtimePort: number;
  /** The networks of proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: string[];
  /** Tests send an address of their own in `CF-Connecting-IP`. */
  trustsClient: boolean;
  /** Shows the gateway that a request came through the door: other users of the machine reach the runtime's port, too. */
  key: string;
};

/**
 * Replaces the edge of a deployed Worker: the caller's address comes from the accepted connection, and request headers
 * cannot change how the runtime treats a request.
 */
export async function openDoor(settings: DoorSettings): Promise<{ close(): void }> {
  // The runtime closes what has been idle for five seconds: nothing must be sent into that.
  const agent = new Agent({ keepAlive: true, timeout: 2_000 });
  const server = createServer(
    { requestTimeout: 0, headersTimeout: HEADERS_MS, keepAliveTimeout: 75_000 },
    (incoming, outgoing) => {
      void pass(incoming, outgoing, settings, agent);
    },
  );
  server.on("upgrade", (incoming, socket, head) => passUpgrade(incoming, socket, head, settings));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === "EADDRINUSE";
      reject(isTaken ? new Error(`Port ${settings.port} is in use: set PORT to another one.`) : error);
    });
    server.listen(settings.port, settings.host, resolve);
  });
  return {
    close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

async function pass(incoming: IncomingMessage, outgoing: ServerResponse, settings: DoorSettings, agent: Agent) {
  const { method, url: path } = incoming;
  const headers = headersOf(incoming, settings, CONNECTION);
  const onward = request({ host: "127.0.0.1", port: settings.runtimePort, method, path, headers, agent });
  outgoing.once("close", () => {
    // The runtime ends its work for a client that has left only when its connection is reset: the end of what a client
    // sends does not mean that it stopped receiving. After the whole answer the connection may serve another request.
    if (incoming.complete && !onward.destroyed) onward.socket?.resetAndDestroy();
    onward.destroy();
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    onward.once("response", resolve).once("error", reject);
  });
  pipeline(incoming, onward).catch(() => undefined);
  try {
    const answer = await answered;
    outgoing.writeHead(answer.statusCode ?? 502, pairsOf(answer.rawHeaders, CONNECTION).flat());
    await pipeline(answer, outgoing);
  } catch {
    // The runtime is being restarted, or went away in the middle of its answer.
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(503, { "Content-Type": "application/json" }).end(UNAVAILABLE);
  }
}

/** Connects a client's web socket with the runtime's, once the runtime has accepted it. Nothing else may be upgraded. */
function passUpgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer, settings: DoorSettings) {
  socket.on("error", () => socket.destroy());
  const isSocket = incoming.headers.upgrade?.toLowerCase() === "websocket" && SOCKET_PATH.test(incoming.url ?? "");
  if (incoming.method !== "GET" || !isSocket)
    return void socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
  const headers = headersOf(incoming, settings, []);
  const onward = request({ host: "127.0.0.1", port: settings.runtimePort, path: incoming.url, headers });
  const leave = () => onward.destroy();
  socket.once("close", leave);
  onward.once("error", () => socket.end("HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n"));
  onward.once("response", (answer) => {
    socket.write(headOf(answer));
    pipeline(answer, socket).catch(() => undefined);
  });
  onward.once("upgrade", (answer, runtime, first) => {
    socket.write(headOf(answer));
    socket.write(first);
    runtime.write(head);
    runtime.on("error", () => socket.destroy());
    runtime.on("close", () => socket.destroy());
    runtime.pipe(socket);
    socket.off("close", leave);
    // The client's end does not wait for the runtime's: such a connection would stay half open.
    socket.on("end", () => socket.destroy());
    socket.on("close", () => closeSoon(runtime));
    socket.pipe(runtime, { end: false });
  });
  onward.end();
}

/**
 * Closes the runtime's side of a web socket. Those that end together are closed one after the other: each wakes an object,
 * and a thousand that wake at once would keep all calls waiting for a second.
 */
function closeSoon(runtime: Socket) {
  if (closings.push(runtime) > 1) return;
  const closing = setInterval(() => {
    const next = closings.shift();
    // The runtime's bytes are read to their end: reset while it sends, it keeps the object of the socket for ever.
    next?.resume().setTimeout(SILENCE_MS, () => next.destroy());
    next?.end();
    if (closings.length === 0) clearInterval(closing);
  }, CLOSING_INTERVAL_MS);
}

const closings: Socket[] = [];
const CLOSING_INTERVAL_MS = 2;
/** A runtime that neither sends nor closes for so long is disconnected. */
const SILENCE_MS = 10_000;

/** The status line and headers of an answer; other answers than an upgrade end the connection. */
function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const dropped = statusCode === 101 ? [] : [...CONNECTION, "transfer-encoding"];
  const lines = pairsOf(rawHeaders, dropped).map(([name, value]) => `${name}: ${value}\r\n`);
  const end = statusCode === 101 ? "" : "Connection: close\r\n";
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join("")}${end}\r\n`;
}

/** Request headers without those about the connection, and without those that only a trusted proxy may set. */
function headersOf(incoming: IncomingMessage, settings: DoorSettings, dropped: string[]): string[] {
  const pairs = pairsOf(incoming.rawHeaders, dropped);
  const key = ["FMS-Door-Key", settings.key];
  if (settings.trustsClient) return [...pairs, key].flat();
  const fromClient = pairs.filter(([name]) => !/^(cf|mf|fms-door)-/i.test(name));
  return [...fromClient, ["CF-Connecting-IP", addressOf(incoming, settings.trustedProxies)], key].flat();
}

/** The peer's address, or the address that trusted proxies in front report. */
export function addressOf(incoming: Pick<IncomingMessage, "socket" | "headers">, trustedProxies: string[]): string {
  const forwarded = String(incoming.headers["x-forwarded-for"] ?? "").split(",");
  let address = plain(incoming.socket.remoteAddress ?? "");
  while (trustedProxies.includes(address)) {
    const before = plain(forwarded.pop()?.trim() ?? "");
    if (before === "") break;
    address = before;
  }
  return address;
}

/** IPv4 as such, also where it comes in the form of IPv6. */
function plain(address: string) {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

function pairsOf(flat: string[], dropped: string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const [name = "", value = ""] = flat.slice(index, index + 2);
    if (!dropped.includes(name.toLowerCase())) pairs.push([name, value]);
  }
  return pairs;
}

const SOCKET_PATH = /^\/api-v2\/event\/subscription\/?(?:\?|$)/;
/** A client that has not sent its headers by then is disconnected. */
const HEADERS_MS = 20_000;
const CONNECTION = ["connection", "keep-alive", "proxy-connection"];
const UNAVAILABLE = JSON.stringify({
  success: false,
  status: { code: 14, description: "Service or database unavailable, try again later" },
});
