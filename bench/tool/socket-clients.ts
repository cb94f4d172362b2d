import { freePorts } from "../../scripts/system/free-ports.ts";

/** Opens connections; each has sent the greeting and received an answer that contains `answer`. */
export async function connectAll(url: string, count: number, greeting: string, answer: string) {
  let hear: (text: string) => void = () => undefined;
  let longest = "";
  const sockets = await Promise.all(Array.from({ length: count }, () => connect((text) => hear(text))));
  return {
    measure,
    /** The longest frame that came so far. */
    longest: () => longest,
    send(text: string) {
      for (const socket of sockets) socket.send(text);
    },
    close() {
      for (const socket of sockets) socket.close();
    },
  };

  function connect(onText: (text: string) => void) {
    const socket = new WebSocket(url.replace(/^http/, "ws"));
    return new Promise<WebSocket>((resolve, reject) => {
      socket.addEventListener("open", () => socket.send(greeting));
      socket.addEventListener("error", () => reject(new Error(`${url} took no connection`)));
      socket.addEventListener("message", ({ data }) => {
        const text = String(data);
        if (text.includes(answer)) resolve(socket);
        if (text.length > longest.length) longest = text;
        onText(text);
      });
    });
  }

  /**
   * States a second from the moment when what begins it is done, until `expected` of them have arrived. What arrives
   * earlier is not counted.
   */
  async function measure(begin: () => unknown, expected: number) {
    let arrived = 0;
    const all = new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${arrived} of ${expected} arrived`)), PATIENCE_MS);
      hear = (text) => {
        arrived += statesIn(text);
        if (arrived < expected) return;
        clearTimeout(late);
        resolve();
      };
    });
    await begin();
    const [start, early] = [performance.now(), arrived];
    await all;
    hear = () => undefined;
    return ((arrived - early) * 1000) / (performance.now() - start);
  }
}

export function statesIn(text: string): number {
  let count = 0;
  for (let place = text.indexOf(STATE); place !== -1; place = text.indexOf(STATE, place + STATE.length)) count++;
  return count;
}

/** Starts a Durable Object that holds connections as the gateway does, and sends every message back. */
export async function startEcho() {
  const { Log, LogLevel, Miniflare, convertV4MiniflareOptions } = await import("miniflare");
  const [port] = await freePorts(1);
  const script = `import { DurableObject } from "cloudflare:workers";
    export class Echo extends DurableObject {
      fetch() {
        const { 0: client, 1: server } = new WebSocketPair();
        this.ctx.acceptWebSocket(server);
        return new Response(null, { status: 101, webSocket: client });
      }
      webSocketMessage(socket, message) { socket.send(message); }
    }
    export default { fetch: (request, env) => env.ECHO.getByName("echo").fetch(request) };`;
  const durableObjects = { ECHO: { className: "Echo", useSQLite: true } };
  const worker = { name: "echo", modules: true, script, durableObjects, compatibilityDate: "2026-11-01" } as const;
  const log = new Log(LogLevel.ERROR);
  const options = { host: "127.0.0.1", port: Number(port), cf: false, telemetry: { enabled: false }, log } as const;
  const echo = new Miniflare(convertV4MiniflareOptions({ ...options, workers: [worker] }));
  await echo.ready;
  return { url: `http://127.0.0.1:${port}`, stop: () => echo.dispose() };
}

/** The text with which each state begins. */
const STATE = '"source_id":';
const PATIENCE_MS = 60_000;
