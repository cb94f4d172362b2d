import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { writeUtc } from "../test/tool/call/utc-time.ts";
import type { Month } from "./point/month.ts";
import { type Account, BASE } from "./tool/account.ts";
import { compareRounds, type Figure } from "./tool/figure.ts";
import type { Stack } from "./tool/stack.ts";

/** An attempt of one client to occupy the system; ends when everything that it sent is answered or given up. */
type Attack = { name: string; run: () => Promise<unknown> };
/** Waits of the other account's calls, in milliseconds. */
type Waits = { p95: number; longest: number };

/**
 * How long another account's calls wait while one client attacks, against a calm system. The rates of addresses are
 * not limited here, as an attacker may have many addresses.
 */
export async function attackFigures(stack: Stack, attacker: Account, month: Month, other: Account): Promise<Figure[]> {
  const { id: vehicle_id } = await other.call("/vehicle/create", { vehicle: { label: "Van" } });
  const call = () => Promise.all([other.call("/base/nothing", {}), other.call("/vehicle/read", { vehicle_id })]);
  const figures: Figure[] = [];
  for (const { name, run } of await attacksOn(stack, attacker, month)) {
    const rounds: { calm: Waits; attacked: Waits }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const calm = await waitsDuring(call, () => pause(CALM_MS));
      rounds.push({ calm, attacked: await waitsDuring(call, run) });
    }
    const calm = rounds.map((round) => round.calm.p95);
    const described = { unit: "ms", baseline: { name: "p95 of a calm system", unit: "ms" } };
    figures.push(
      compareRounds(
        { name: `p95 of another account's calls: ${name}`, goal: { most: 10 }, ...described },
        rounds.map((round) => round.attacked.p95),
        calm,
      ),
      compareRounds(
        { name: `longest of them: ${name}`, goal: { mostValue: 1000 }, ...described },
        rounds.map((round) => round.attacked.longest),
        calm,
      ),
    );
  }
  return figures;
}

async function attacksOn({ origin }: Stack, attacker: Account, month: Month): Promise<Attack[]> {
  const zone_ids = await uploadStars(origin, attacker);
  const range = { trackers: [month.tracker_id], from: writeUtc(month.from), to: writeUtc(month.to) };
  const rule = { type: "inoutzone", name: "Tried", zone_ids };
  const wrong = { login: "attacked@example.com", password: "wrong-password" };
  return [
    {
      name: `10 trials of a rule, ${STARS} zones, a month of points`,
      run: () => atOnce(10, () => attacker.call("/tracker/rule/try", { rule, ...range })),
    },
    { name: "50 sockets, messages of 166 KB", run: () => atOnce(50, () => sendToSocket(origin)) },
    { name: "300 log-ins at once", run: () => atOnce(300, () => post(origin, "/user/auth", JSON.stringify(wrong))) },
    { name: "26 slow parts of one upload", run: () => sendSlowParts(attacker) },
    { name: "7 slow multipart bodies", run: () => atOnce(7, () => sendSlowly(origin, MULTIPART, SLOW_MS)) },
    {
      name: "4 bodies of 4 MB without a hash",
      run: () => atOnce(4, () => post(origin, "/base/nothing", `{"pad":"${"x".repeat(4_000_000)}"}`)),
    },
  ];
}

/** Calls one after the other, with a pause between them, until the work has ended. */
async function waitsDuring(call: () => Promise<unknown>, work: () => Promise<unknown>): Promise<Waits> {
  const waits: number[] = [];
  let isOver = false;
  const calling = (async () => {
    while (!isOver || waits.length < LEAST_CALLS) {
      const start = performance.now();
      await call();
      waits.push(performance.now() - start);
      await pause(PAUSE_MS);
    }
  })();
  await work();
  isOver = true;
  await calling;
  waits.sort((one, other) => one - other);
  return { p95: waits[Math.ceil(waits.length * 0.95) - 1] ?? Number.NaN, longest: waits.at(-1) ?? Number.NaN };
}

/** Refusals and cut connections are what the attacker may expect. */
async function atOnce(count: number, work: () => Promise<unknown>) {
  await Promise.allSettled(Array.from({ length: count }, work));
}

async function post(origin: string, path: string, body: string) {
  const headers = { "Content-Type": "application/json" };
  await (await fetch(origin + BASE + path, { method: "POST", headers, body })).text();
}

/** Stars around the drives, each with as many corners as a zone may have. */
async function uploadStars(origin: string, { hash }: Account): Promise<number[]> {
  const features = Array.from({ length: STARS }, (_, number) => {
    const corners = Array.from({ length: CORNERS }, (_, corner) => {
      const [angle, radius] = [(corner / CORNERS) * 2 * Math.PI, corner % 2 === 0 ? 2 : 0.5 + number / STARS];
      return [11 + radius * Math.cos(angle), 48 + radius * Math.sin(angle)];
    });
    const geometry = { type: "Polygon", coordinates: [[...corners, corners[0]]] };
    return { type: "Feature", geometry, properties: { name: `Star ${number}` } };
  });
  const form = new FormData();
  form.set("hash", hash);
  form.set("dry_run", "false");
  form.set("file", new File([JSON.stringify({ type: "FeatureCollection", features })], "stars.json"));
  const answer = await fetch(`${origin}${BASE}/zone/upload`, { method: "POST", body: form });
  const reply = (await answer.json()) as { success: boolean; list: number[] }; // the contract's answer
  if (!reply.success) throw new Error(`zone/upload answered ${JSON.stringify(reply).slice(0, 300)}`);
  return reply.list;
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
async function sendSlowParts({ call }: Account) {
  const { value } = await call("/checkin/image/create", { size: UPLOAD_BYTES });
  const { url, fields } = value as { url: string; fields: Record<string, string> }; // the contract's ticket
  const { origin, pathname } = new URL(url);
  const head = [
    `PATCH ${pathname}?token=${encodeURIComponent(String(fields.token))} HTTP/1.1`,
    "Tus-Resumable: 1.0.0",
    "Upload-Offset: 0",
    "Content-Type: application/offset+octet-stream",
  ];
  await atOnce(26, () => sendSlowly(origin, head, SLOW_MS));
}

/** Sends a large body at a few bytes in a second, and leaves before its end. */
function sendSlowly(origin: string, head: string[], ms: number) {
  const { hostname, port, host } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  const lines = [...head, `Host: ${host}`, `Content-Length: ${UPLOAD_BYTES}`, "", ""];
  return new Promise<void>((resolve) => {
    socket.write(lines.join("\r\n"));
    const drip = setInterval(() => socket.write("x".repeat(100)), 100);
    const end = setTimeout(() => socket.destroy(), ms);
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

const ROUNDS = 3;
const CALM_MS = 1500;
const PAUSE_MS = 10;
/** Fewer have no 95th of a hundred. */
const LEAST_CALLS = 40;
const STARS = 500;
const CORNERS = 98;
const SLOW_MS = 3000;
const UPLOAD_BYTES = 5_000_000;
const MULTIPART = [`POST ${BASE}/zone/upload HTTP/1.1`, "Content-Type: multipart/form-data; boundary=x"];
const SUBSCRIPTION = JSON.stringify({
  action: "subscribe",
  requests: Array.from({ length: 100 }, () => ({
    type: "state_batch",
    target: { type: "selected", tracker_ids: Array.from({ length: 300 }, (_, id) => id) },
  })),
});
