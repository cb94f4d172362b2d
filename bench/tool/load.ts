import { connect, type Socket } from "node:net";

export type Request = { path: string; method?: "GET" | "POST"; body?: string; headers?: Record<string, string> };
export type Load = { count: number; perSecond: number; p50Ms: number; p99Ms: number };

/** The bytes of a request: those that are sent again and again are made once. */
export function bytesOf({ path, method = "POST", body = "", headers = {} }: Request): Buffer {
  const type: Record<string, string> = body === "" ? {} : { "Content-Type": "application/json" };
  const lines = Object.entries({ ...type, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = method === "GET" ? "" : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join("")}${length}\r\n${body}`);
}

/**
 * Requests over keep-alive connections, each sent when the answer to the one before is there, until the time is over or
 * one connection has nothing left to send; that answer is there to make the next of. On bare sockets: on two cores an HTTP client would take more of the machine
 * than the server that is measured.
 */
export async function load(
  origin: string,
  next: (connection: number, answered?: string) => Buffer | undefined,
  { connections = 16, seconds = 2 } = {},
): Promise<Load> {
  const { hostname, port } = new URL(origin);
  const times: number[] = [];
  const start = performance.now();
  let end = start + seconds * 1000;
  await Promise.all(Array.from({ length: connections }, (_, connection) => talk(connection)));
  const elapsed = (performance.now() - start) / 1000;
  if (times.length === 0) throw new Error("there was nothing to send");
  times.sort((one, other) => one - other);
  const count = times.length;
  const below = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { count, perSecond: count / elapsed, p50Ms: below(0.5), p99Ms: below(0.99) };

  async function talk(connection: number) {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const answers = answersOf(socket);
    let answered: string | undefined;
    try {
      while (performance.now() < end) {
        const request = next(connection, answered);
        if (!request) {
          // Fewer connections than announced would be another load.
          end = 0;
          return;
        }
        const began = performance.now();
        socket.write(request);
        const { status, text } = await answers.next();
        times.push(performance.now() - began);
        answered = text();
        // A failed call is answered faster than a successful one, and must not count.
        if (status !== 200) throw new Error(`answered ${status}: ${answered.slice(-300)}`);
      }
    } finally {
      socket.destroy();
    }
  }
}

/** Reads the answers on a connection one after the other. */
function answersOf(socket: Socket) {
  let buffer = "";
  let wake: (() => void) | undefined;
  let broken: Error | undefined;
  socket.setEncoding("latin1");
  socket.on("data", (part: string) => {
    buffer += part;
    wake?.();
  });
  socket.on("error", (error) => {
    broken = error;
    wake?.();
  });
  socket.on("close", () => {
    broken ??= new Error("the server closed the connection");
    wake?.();
  });
  return {
    async next() {
      for (;;) {
        const length = lengthOf(buffer);
        if (length > 0) {
          const answer = buffer.slice(0, length);
          buffer = buffer.slice(length);
          return { status: Number(answer.slice(9, 12)), text: () => answer };
        }
        if (broken) throw broken;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/** Length of the first complete answer in the buffer; 0 while it is incomplete. */
function lengthOf(buffer: string): number {
  const headEnd = buffer.indexOf("\r\n\r\n");
  if (headEnd < 0) return 0;
  const announced = /\r\ncontent-length: (\d+)/i.exec(buffer.slice(0, headEnd))?.[1];
  if (announced !== undefined) {
    const length = headEnd + 4 + Number(announced);
    return buffer.length >= length ? length : 0;
  }
  let at = headEnd + 4;
  for (;;) {
    const lineEnd = buffer.indexOf("\r\n", at);
    if (lineEnd < 0) return 0;
    const size = Number.parseInt(buffer.slice(at, lineEnd), 16);
    at = lineEnd + 2 + size + 2;
    if (buffer.length < at) return 0;
    if (size === 0) return at;
  }
}
