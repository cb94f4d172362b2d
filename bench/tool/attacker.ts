import { connect } from "node:net";
import { parentPort } from "node:worker_threads";
import { BASE, callerOf } from "./account.ts";

/** The system that is attacked, a hash of the attacker, and a trial that its account may make. */
export type Target = { origin: string; hash: string; trial: object };

/** Attempts of one client to occupy the system; each ends when all that it sent is answered or given up. */
export const ATTACKS = {
  "10 trials of a rule, 500 zones, a month of points": ({ origin, hash, trial }: Target) =>
    atOnce(10, () => callerOf(origin)("/tracker/rule/try", { hash, ...trial })),
  "50 sockets, messages of 166 KB": ({ origin }: Target) => atOnce(50, () => sendToSocket(origin)),
  "300 log-ins at once": ({ origin }: Target) => atOnce(300, () => post(origin, "/user/auth", WRONG_LOGIN)),
  "26 slow parts of one upload": sendSlowParts,
  "7 slow multipart bodies": ({ origin }: Target) => atOnce(7, () => sendSlowly(origin, MULTIPART)),
  "4 bodies of 4 MB without a hash": ({ origin }: Target) => atOnce(4, () => post(origin, "/base/nothing", LARGE_BODY)),
};
export type AttackName = keyof typeof ATTACKS;

/** Refusals and cut connections are what the attacker may expect. */
async function atOnce(count: number, work: () => Promise<unknown>) {
  await Promise.allSettled(Array.from({ length: count }, work));
}

async function post(origin: string, path: string, body: string) {
  const headers = { "Content-Type": "application/json" };
  await (await fetch(origin + BASE + path, { method: "POST", headers, body })).text();
}

/** Ten messages without a hash; ends when the server closes the connection. */
function sendToSocket(origin: string) {
  const socket = new WebSocket(`${origin.replace(/^http/, "ws")}${BASE}/event/subscription`);
  return new Promise<void>((resolve) => {
    socket.addEventListener("open", () => {
      for (let message = 0; message < 10; message++) socket.send(SUBSCRIPTION);
    });
    socket.addEventListener("close", () => resolve());
    socket.addEventListener("error", () => resolve());
  });
}

/** Parts of one upload, all from its beginning, which never arrive as a whole. */
async function sendSlowParts({ origin, hash }: Target) {
  const { value } = await callerOf(origin)("/checkin/image/create", { hash, size: UPLOAD_BYTES });
  const { url, fields } = value as { url: string; fields: Record<string, string> }; // the contract's ticket
  const { pathname } = new URL(url);
  const head = [
    `PATCH ${pathname}?token=${encodeURIComponent(String(fields.token))} HTTP/1.1`,
    "Tus-Resumable: 1.0.0",
    "Upload-Offset: 0",
    "Content-Type: application/offset+octet-stream",
  ];
  await atOnce(26, () => sendSlowly(origin, head));
}

/** Sends a large body at a few bytes in a second, and leaves before its end. */
function sendSlowly(origin: string, head: string[]) {
  const { hostname, port, host } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  const lines = [...head, `Host: ${host}`, `Content-Length: ${UPLOAD_BYTES}`, "", ""];
  return new Promise<void>((resolve) => {
    socket.write(lines.join("\r\n"));
    const drip = setInterval(() => socket.write("x".repeat(100)), 100);
    const end = setTimeout(() => socket.destroy(), SLOW_MS);
    // Answers are dropped.
    socket.resume();
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      clearInterval(drip);
      clearTimeout(end);
      resolve();
    });
  });
}

const SLOW_MS = 3000;
const UPLOAD_BYTES = 5_000_000;
const LARGE_BODY = `{"pad":"${"x".repeat(4_000_000)}"}`;
const WRONG_LOGIN = JSON.stringify({ login: "attacked@example.com", password: "wrong-password" });
const MULTIPART = [`POST ${BASE}/zone/upload HTTP/1.1`, "Content-Type: multipart/form-data; boundary=x"];
const SUBSCRIPTION = JSON.stringify({
  action: "subscribe",
  requests: Array.from({ length: 100 }, () => ({
    type: "state_batch",
    target: { type: "selected", tracker_ids: Array.from({ length: 300 }, (_, id) => id) },
  })),
});

// In a thread of its own an attack keeps the calls waiting that it is measured by only in the system.
parentPort?.on("message", async ({ name, target }: { name: AttackName; target: Target }) => {
  await ATTACKS[name](target);
  parentPort?.postMessage("over");
});
