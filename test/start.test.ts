import { createClient } from "@libsql/client/http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { isAlive } from "../scripts/processes.ts";
import { type Installation, newInstallation, PATIENT } from "./npm-start.ts";

const A_TRACK = expect.objectContaining({ start_date: expect.any(String), points: expect.any(Number) });

// Two starts serve all tests: each begins with what the last one left.
let installation: Installation;

beforeAll(async () => {
  installation = await newInstallation();
  await installation.start();
});

afterAll(() => installation?.remove());

test("is healthy when it says that it is ready, and has shown the operator's password", async () => {
  expect(installation.output()).toMatch(new RegExp(`^ready http://127.0.0.1:${installation.port}/api-v2$`, "m"));
  expect(installation.output()).toMatch(/^operator +admin \/ \S{12} /m);
  expect(await installation.health()).toBe(200);
});

test("shows a demo account with a drive, and how to list and download it", async () => {
  const answers: string[] = [];
  // Each line is a command to paste; its address and its body are what matters here.
  for (const { groups } of installation.output().matchAll(/^ {2}curl .*?(?<url>http\S+).* -d '(?<body>.*)'$/gm)) {
    const { url = "", body = "" } = groups ?? {};
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
  const killed = installation.kill("databases/fleet");
  await vi.waitUntil(() => installation.isReplaced(killed, "databases/fleet"), PATIENT);
  await vi.waitUntil(isHealthy, PATIENT);

  installation.kill("databases/gateway");
  await vi.waitUntil(() => remembered().catch(() => false), PATIENT);
  expect(await remembered()).toContain("before its end");
  await vi.waitUntil(isHealthy, PATIENT);
});

test("workerd that is killed comes back on the same port", async () => {
  const killed = installation.kill("workerd serve");
  await vi.waitUntil(() => installation.isReplaced(killed, "workerd serve"), PATIENT);
  await vi.waitUntil(isHealthy, PATIENT);
});

test("after kill -9 the next start ends what was left, keeps all data and shows no password again", async () => {
  await remember("before kill -9");
  const left = installation.recorded();
  installation.kill("scripts/start.ts");
  await installation.ended();
  expect(left.filter(isAlive)).not.toEqual([]);

  await installation.start();
  expect(left.filter(isAlive)).toEqual([]);
  expect(await isHealthy()).toBe(true);
  expect(await remembered()).toEqual(["admin", "before its end", "before kill -9"]);
  expect(installation.output()).not.toMatch(/^operator/m);
});

test("SIGTERM ends every process", async () => {
  const all = installation.recorded();
  expect(all.filter(isAlive)).toHaveLength(8);
  expect(await installation.end("SIGTERM")).toBe(143);
  expect(all.filter(isAlive)).toEqual([]);
});

async function isHealthy() {
  return (await installation.health()) === 200;
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
  const address = installation.find("databases/gateway").identity.split(" ").at(-1);
  return createClient({ url: `http://${address}` });
}
