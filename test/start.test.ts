import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client/http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { isAlive, type Recorded, readRecorded } from "../scripts/processes.ts";
import { freePorts } from "../scripts/sqld.ts";
import { ROOT } from "../scripts/workers.ts";

type Running = { process: ChildProcess; output(): string; ended: Promise<unknown[]> };

const A_TRACK = expect.objectContaining({ start_date: expect.any(String), points: expect.any(Number) });
const PATIENT = { timeout: 20_000, interval: 50 };

// Two starts serve all tests: each begins with what the last one left.
let dataDir: string;
let port: number;
let running: Running;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "fleet-start-"));
  port = Number(await freePorts(1));
  running = await start();
});

afterAll(async () => {
  await end(running, "SIGTERM");
  await rm(dataDir, { recursive: true, force: true });
});

test("is healthy when it says that it is ready, and has shown the operator's password", async () => {
  expect(running.output()).toMatch(new RegExp(`^ready http://127.0.0.1:${port}/api-v2$`, "m"));
  expect(running.output()).toMatch(/^operator +admin \/ \S{12} /m);
  expect(await health()).toBe(200);
});

test("shows a demo account with a drive, and how to list and download it", async () => {
  const answers: string[] = [];
  // Each line is a command to paste; its address and its body are what matters here.
  for (const [, url = "", body = ""] of running.output().matchAll(/^ {2}curl .*?(http\S+).* -d '(.*)'$/gm)) {
    const headers = { "Content-Type": "application/json" };
    answers.push(await fetch(url, { method: "POST", headers, body }).then((answer) => answer.text()));
  }
  const [login = "", tracks = "", file] = answers;
  expect(JSON.parse(login)).toMatchObject({ success: true, hash: expect.any(String) });
  expect(JSON.parse(tracks)).toMatchObject({ success: true, list: expect.arrayContaining([A_TRACK]) });
  expect(file).toContain("<kml");
});

test("a database that is killed comes back where it was, with what it had", async () => {
  await remember("before its end");
  const killed = kill("databases/fleet");
  await vi.waitUntil(() => isReplaced(killed, "databases/fleet"), PATIENT);
  await vi.waitUntil(async () => (await health()) === 200, PATIENT);

  kill("databases/gateway");
  await vi.waitUntil(() => remembered().catch(() => false), PATIENT);
  expect(await remembered()).toContain("before its end");
  await vi.waitUntil(async () => (await health()) === 200, PATIENT);
});

test("workerd that is killed comes back on the same port", async () => {
  const killed = kill("workerd serve");
  await vi.waitUntil(() => isReplaced(killed, "workerd serve"), PATIENT);
  await vi.waitUntil(async () => (await health()) === 200, PATIENT);
});

test("after kill -9 the next start ends what was left, keeps all data and shows no password again", async () => {
  await remember("before kill -9");
  const left = recorded();
  kill("scripts/start.ts");
  await running.ended;
  expect(left.filter(isAlive)).not.toEqual([]);

  running = await start();
  expect(left.filter(isAlive)).toEqual([]);
  expect(await health()).toBe(200);
  expect(await remembered()).toEqual(["admin", "before its end", "before kill -9"]);
  expect(running.output()).not.toMatch(/^operator/m);
});

test("SIGTERM ends every process", async () => {
  const all = recorded();
  expect(all.filter(isAlive)).toHaveLength(8);
  expect(await end(running, "SIGTERM")).toBe(143);
  expect(all.filter(isAlive)).toEqual([]);
});

async function start(): Promise<Running> {
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir };
  const child = spawn(process.execPath, [join(ROOT, "scripts", "run.mjs"), "start"], { env });
  const ended = once(child, "exit");
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += part));
  const isReady = () => /^ready /m.test(output);
  await vi.waitUntil(() => isReady() || child.exitCode !== null, { ...PATIENT, timeout: 60_000 });
  if (!isReady()) throw new Error(output);
  return { process: child, output: () => output, ended };
}

async function end({ process, ended }: Running, signal: NodeJS.Signals) {
  process.kill(signal);
  const [code] = await ended;
  return code;
}

function recorded() {
  return readRecorded(join(dataDir, "processes.json"));
}

function find(command: string): Recorded {
  const found = recorded().find(({ identity }) => identity.includes(command));
  return found ?? { pid: 0, identity: command };
}

function isReplaced(killed: Recorded, command: string) {
  return ![0, killed.pid].includes(find(command).pid);
}

function kill(command: string) {
  const found = find(command);
  process.kill(found.pid, "SIGKILL");
  return found;
}

async function health() {
  const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
  return answer?.status;
}

/** Any table would do; this one every gateway has. */
async function remember(login: string) {
  const sql = "INSERT INTO operator (dealer_id, login, password, permissions) VALUES (1, ?, '', '{}')";
  await gatewayDatabase().execute({ sql, args: [login] });
}

async function remembered() {
  const { rows } = await gatewayDatabase().execute("SELECT login FROM operator ORDER BY id");
  return rows.map(({ login }) => login);
}

function gatewayDatabase() {
  const address = find("databases/gateway").identity.split(" ").at(-1);
  return createClient({ url: `http://${address}` });
}
