import { connect, type Socket } from "node:net";

export type Exchange = { path: string; body?: string | Buffer; headers?: Record<string, string> };
export type Load = { perSecond: number; p50Ms: number; failures: number };

/**
 * Requests over keep-alive connections, each sent when the answer to the one before is there. Written on bare sockets:
 * on two cores an HTTP client of its own would take more of the machine than the server that is measured.
 */
export async function load(
  origin: string,
  next: (turn: number) => Exchange,
  { connections = 16, seconds = 4, turns = Number.POSITIVE_INFINITY } = {},
): Promise<Load> {
  const { hostname, port } = new URL(origin);
  const times: number[] = [];
  let turn = 0;
  let failures = 0;
  const start = performance.now();
  const end = start + seconds * 1000;
  await Promise.all(Array.from({ length: connections }, talk));
  const elapsed = (performance.now() - start) / 1000;
  times.sort((one, other) => one - other);
  return { perSecond: times.length / elapsed, p50Ms: times[Math.floor(times.length / 2)] ?? Number.NaN, failures };

  async function talk() {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const answers = answersOf(socket);
    while (performance.now() < end && turn < turns) {
      const request = bytesOf(next(turn++), hostname);
      const began = performance.now();
      socket.write(request);
      const status = await answers.next();
      times.push(performance.now() - began);
      if (status !== 200) failures++;
    }
    socket.destroy();
  }
}

function bytesOf({ path, body = "", headers = {} }: Exchange, host: string): Buffer {
  const bytes = Buffer.from(body);
  const lines = Object.entries({ "Content-Type": "application/json", ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${lines.join("")}Content-Length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

/** The status of one answer after the other; bodies are skipped. */
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
    async next(): Promise<number> {
      for (;;) {
        const length = lengthOf(buffer);
        if (length > 0) {
          const status = Number(buffer.slice(9, 12));
          buffer = buffer.slice(length);
          return status;
        }
        if (broken) throw broken;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/** Of the first whole answer in the buffer; 0 while it is not there yet. */
function lengthOf(buffer: string): number {
  const headEnd = buffer.indexOf("\r\n\r\n");
  if (headEnd < 0) return 0;
  const head = buffer.slice(0, headEnd);
  const announced = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
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
