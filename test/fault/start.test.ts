import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createClient } from "@libsql/client/http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { isAlive } from "../../scripts/system/processes.ts";
import { effort } from "../tool/effort.ts";
import { type Installation, newInstallation } from "../tool/system/npm-start.ts";
import { waitUntil } from "../tool/wait.ts";

const A_TRACK = expect.objectContaining({ start_date: expect.any(String), points: expect.any(Number) });

/** The first start's output: later starts show no password. */
let firstOutput = "";
let installation: Installation;

beforeAll(async () => {
  // Places below 15,000 inhabitants are loaded in the background: a few of them, or without a number all of the world.
  installation = await newInstallation({ GAZETTEER_POPULATION: effort({ few: "14000", many: "" }) });
  await installation.start();
  firstOutput = installation.output();
});

// One installation serves all tests, in any order: each finds it running and healthy.
beforeEach(async () => {
  if (!installation.isRunning()) await installation.start();
  await waitUntil("the installation is healthy", isHealthy);
});

afterAll(() => installation?.remove());

test("npm start says that it is ready once it is healthy, and shows the operator's password", async () => {
  expect(firstOutput).toMatch(new RegExp(`^ready http://127.0.0.1:${installation.port}/api-v2$`, "m"));
  expect(firstOutput).toMatch(/^operator +admin \/ \S{12} /m);
  expect(await installation.health()).toBe(200);
});

test("npm start closes its data folder to other users, and its databases to everybody without the token", async () => {
  expect(statSync(installation.dataDir).mode & 0o777).toBe(0o700);
  const address = installation.find("databases/gateway").identity.split(" ").at(-1);
  const stranger = createClient({ url: `http://${address}` });
  await expect(stranger.execute("SELECT 1")).rejects.toThrow("401");
});

test("npm start believes no header of a caller about the system's address or the caller's own", async () => {
  const spoofed = { Host: "evil.example", "MF-Original-URL": "http://evil.example/", "CF-Connecting-IP": "6.6.6.6" };
  const { hash } = await operatorSession();
  const login = "victim@example.com";
  const user = { login, activated: false, legal_type: "individual", first_name: "Ann" };
  const created = { hash, user, password: "secret123", time_zone: "UTC", locale: "en_US" };
  await callWith(spoofed, "/panel/user/create", created);
  const { list } = await callWith({}, "/panel/mail/list", { hash });
  const letter = list.find(({ to }: { to: string }) => to === login);
  expect(letter.text).toContain(`http://127.0.0.1:${installation.port}/api-v2/activate?hash=`);
  expect(letter.text).not.toContain("evil");
});

test("npm start lets callers reach none of the local runtime's own addresses", async () => {
  for (const path of ["r2/public/file", "scheduled", "explorer"]) {
    const answer = await fetch(`http://127.0.0.1:${installation.port}/cdn-cgi/local/${path}`);
    expect(await answer.json()).toMatchObject({ success: false, status: { code: 111 } });
  }
});

test("the gateway bounds bodies in transit: one more is 15 with a time to come back, and small calls go on", async () => {
  const { hash } = await operatorSession();
  const path = `/panel/account/get_permissions?hash=${hash}`;
  const { hostname, port, pathname } = new URL(installation.baseUrl + path);
  const sockets: Socket[] = [];
  const begin = () => {
    const socket = connect(Number(port), hostname);
    // The gateway may refuse this body, too.
    socket.on("error", () => socket.destroy());
    const head = `POST ${pathname}?hash=${hash} HTTP/1.1\r\nHost: x\r\nContent-Length: ${16 * 1024 * 1024}`;
    socket.write(`${head}\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n`);
    socket.write('Content-Disposition: form-data; name="file"; filename="a"\r\n\r\n');
    // Bytes count when they have arrived.
    socket.write(new Uint8Array(12 * 1024 * 1024));
    sockets.push(socket);
  };
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(17_000_000)]));
  const send = () => fetch(installation.baseUrl + path, { method: "POST", body: form });
  const refused = await waitUntil(
    "a body is refused beside many that are under way",
    () => {
      begin();
      return send();
    },
    ({ status }) => status === 429,
  );
  expect(await refused.json()).toMatchObject({ status: { code: 15 } });
  expect(refused.headers.get("Retry-After")).toMatch(/^\d+$/);
  expect(await callWith({}, "/panel/account/get_permissions", { hash })).toMatchObject({ success: true });
  for (const socket of sockets) socket.destroy();
  await waitUntil("bodies are accepted again", async () => (await send()).status === 200);
});

test("npm start prints commands that log in to a demo account and list and download its drive", async () => {
  const answers: string[] = [];
  // Each line is a command to paste; its address and its body are what matters here.
  for (const { groups } of firstOutput.matchAll(/^ {2}curl .*?(?<url>http\S+).* -d '(?<body>.*)'$/gm)) {
    const { url = "", body = "" } = groups ?? {};
    const headers = { "Content-Type": "application/json" };
    answers.push(await fetch(url, { method: "POST", headers, body }).then((answer) => answer.text()));
  }
  const [login = "", tracks = "", file] = answers;
  expect(JSON.parse(login)).toMatchObject({ success: true, hash: expect.any(String) });
  expect(JSON.parse(tracks)).toMatchObject({ success: true, list: expect.arrayContaining([A_TRACK]) });
  expect(file).toContain("<kml");
});

test("npm start gives the demo account a fleet of twelve vehicles after it is ready", async () => {
  const { login, password } = /^demo +(?<login>\S+) \/ (?<password>\S+)/m.exec(firstOutput)?.groups ?? {};
  const { hash } = await callWith({}, "/user/auth", { login, password });
  await waitUntil(
    "the fleet is registered",
    () => callWith({}, "/vehicle/list", { hash }),
    ({ list }) => list.length === 12,
  );
});

test("npm start brings a killed database back at the same address with its data", async () => {
  await remember("before its end");
  const killed = installation.kill("databases/fleet");
  await waitUntil("fleet has a new database server", () => installation.isReplaced(killed, "databases/fleet"));
  await waitUntil("the system is healthy", isHealthy);

  installation.kill("databases/gateway");
  expect(await waitUntil("the gateway's database answers", readOperators)).toContain("before its end");
});

test("npm start brings a killed workerd back on the same port, also when it is killed while it starts", async () => {
  for (let kills = 0; kills < 2; kills++) {
    const killed = installation.kill("workerd serve");
    await waitUntil("another workerd is there", () => installation.isReplaced(killed, "workerd serve"));
  }
  await waitUntil("the system is healthy", isHealthy);
});

test("npm start ends what a kill -9 has left, keeps all data and shows no password again", async () => {
  await remember("before kill -9");
  const left = installation.recorded();
  installation.kill("scripts/start.ts");
  await installation.ended();
  expect(left.filter(isAlive)).not.toEqual([]);

  await installation.start();
  expect(left.filter(isAlive)).toEqual([]);
  expect(await isHealthy()).toBe(true);
  expect(await readOperators()).toEqual(expect.arrayContaining(["admin", "before kill -9"]));
  expect(installation.output()).not.toMatch(/^operator/m);
});

test("npm start ends every process on SIGTERM", async () => {
  const all = installation.recorded();
  expect(all.filter(isAlive).length).toBeGreaterThanOrEqual(8);
  expect(await installation.end("SIGTERM")).toBe(143);
  expect(all.filter(isAlive)).toEqual([]);
});

test("npm start refuses a key that differs from the one that its data was written with", async () => {
  await installation.end("SIGTERM");
  const started = installation.start({ CREDENTIAL_KEY: "0e".repeat(32) });
  await expect(started).rejects.toThrow("CREDENTIAL_KEY differs from the key that the data was written with");
});

async function isHealthy() {
  return (await installation.health()) === 200;
}

/** Stores a row directly in the gateway's database: an operator with this login. */
async function remember(login: string) {
  const sql = "INSERT INTO operator (dealer_id, login, password, permissions) VALUES (1, ?, '', '{}')";
  await gatewayDatabase().execute({ sql, args: [login] });
}

/** Calls an operation with headers that `fetch` refuses to send. */
async function callWith(headers: Record<string, string>, path: string, parameters: object) {
  const sent = { "Content-Type": "application/json", ...headers };
  const asked = request(installation.baseUrl + path, { method: "POST", headers: sent }).end(JSON.stringify(parameters));
  const [answer] = (await once(asked, "response")) as [IncomingMessage]; // what the event is of
  return JSON.parse(await text(answer));
}

/** Logs in with the operator's password as the first start printed it. */
function operatorSession() {
  const password = /^operator +admin \/ (\S+)/m.exec(firstOutput)?.[1];
  return callWith({}, "/panel/account/auth", { login: "admin", password });
}

async function readOperators() {
  const { rows } = await gatewayDatabase().execute("SELECT login FROM operator ORDER BY id");
  return rows.map(({ login }) => login);
}

function gatewayDatabase() {
  const address = installation.find("databases/gateway").identity.split(" ").at(-1);
  const authToken = readFileSync(join(installation.dataDir, "databases", "token"), "utf8");
  return createClient({ url: `http://${address}`, authToken });
}
