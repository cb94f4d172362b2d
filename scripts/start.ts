// npm start: databases, migrations, the six Workers, the first operator and a demo account, until Ctrl-C.

import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { systemNow } from "../shared/time/clock.ts";
import { requireFinishedRestore } from "./backup/restore.ts";
import { withoutNewKeys } from "./database/identity.ts";
import { bundleChanged } from "./system/bundle.ts";
import { openDoor } from "./system/door.ts";
import { freePorts } from "./system/free-ports.ts";
import { LARGE, leastPopulation } from "./system/gazetteer.ts";
import { loadGazetteerAside } from "./system/gazetteer-process.ts";
import { startWorkers } from "./system/miniflare.ts";
import { hasOperator, insertFirstOperator, type Login } from "./system/operator.ts";
import { endRecorded, recordProcesses } from "./system/processes.ts";
import { localSecrets } from "./system/secrets.ts";
import { type DatabaseServer, startDatabases } from "./system/sqld.ts";
import { migrateAll } from "./tracker-databases.ts";
import { ROOT } from "./workers.ts";

const { HOST = "127.0.0.1", PORT = "8787", DATA_DIR = ".data", DEMO = "1" } = process.env;
/** A street map that asks for no key; the console has a map of its own for when it cannot be reached. */
const STREETS = { name: "OpenFreeMap", url: "https://tiles.openfreemap.org/styles/liberty" };
const { OPERATOR_LOGIN = "admin", OPERATOR_PASSWORD, CLOCK_OFFSET_SECONDS = "0" } = process.env;

// The message says what to do; where in our code it came from does not.
process.on("uncaughtException", (error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
// The program that started this one may stop reading its output.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

// run.mjs sets these for this process, not for the databases and the Workers.
for (const name of Object.keys(process.env)) if (name.startsWith("MALLOC_")) delete process.env[name];

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
onSignal((code) => process.exit(code));

const isLoopback = ["127.0.0.1", "::1", "localhost"].includes(HOST);
if (!isLoopback && !URL.canParse(process.env.PUBLIC_URL ?? ""))
  throw new Error(
    "PUBLIC_URL is not set: at which address is it reached? Mailed links and addresses of files begin so.",
  );

const dataDir = resolve(ROOT, DATA_DIR);
const processes = join(dataDir, "processes.json");
requireFinishedRestore(dataDir);
await mkdir(dataDir, { recursive: true, mode: 0o700 });
// Only the owner may read the folder, even if it existed before.
await chmod(dataDir, 0o700);
await endRecorded(processes);
recordProcesses(processes);

const [databases, secrets] = await Promise.all([
  startDatabases(join(dataDir, "databases")),
  localSecrets(dataDir),
  bundleChanged({ withConsole: true }),
]);
const servers = await migrateAll(databases.servers, withoutNewKeys(secrets, process.argv), secrets);
// Small places follow behind: they take some seconds.
await loadGazetteerAside(servers.geo, Math.max(LARGE, leastPopulation()));
const operator = await firstOperator(servers.gateway);

const port = Number(PORT) || Number(await freePorts(1));
const origin = `http://${isLoopback ? (HOST === "::1" ? "[::1]" : HOST) : "127.0.0.1"}:${port}`;
const [runtimePort = 0] = await freePorts(1);
const doorKey = randomBytes(32).toString("hex");
const demoLogin = DEMO === "0" ? "" : JSON.stringify(await chooseDemoLogin());
const workers = await startWorkers({ host: "127.0.0.1", port: runtimePort }, servers, secrets, dataDir, {
  ...process.env,
  DOOR_KEY: doorKey,
  DEMO_LOGIN: demoLogin,
  MAP_STYLES: process.env.MAP_STYLES || JSON.stringify([STREETS]),
  PUBLIC_URL: process.env.PUBLIC_URL || origin,
  ALLOW_PRIVATE_TARGETS: process.env.ALLOW_PRIVATE_TARGETS || (isLoopback ? "1" : "0"),
});
const door = await openDoor({
  ...{ host: HOST, port, runtimePort },
  trustedProxies: (process.env.TRUSTED_PROXIES ?? "").split(",").map((address) => address.trim()),
  trustsClient: process.env.TRUST_CLIENT_ADDRESS === "1",
  key: doorKey,
});
/** Ends the demo fleet, if there is one. */
const demo = new AbortController();
onSignal(stop);
await healthy(origin);
fireCronsEveryMinute();

console.log(`console ${process.env.PUBLIC_URL || origin}/`);
if (operator && operator.password !== OPERATOR_PASSWORD) {
  console.log(`operator   ${operator.login} / ${operator.password}   (not shown again)`);
}
const driveDemoFleet = DEMO === "0" ? undefined : await offerDemo();
if (DEMO === "0" || driveDemoFleet) await rm(pendingOperator(), { force: true });
console.log(`ready ${origin}/api-v2`);
// The demo fleet takes small steps beside all other work, until the end.
driveDemoFleet?.().catch((error) => console.error(`No demo fleet: ${error instanceof Error ? error.message : error}`));
await loadGazetteerAside(servers.geo, leastPopulation()).catch((error) => {
  // The next start goes on with it.
  console.error(`The gazetteer has large places alone: ${error instanceof Error ? error.message : error}`);
});
// An idle process would keep what only the start needed: nothing makes it collect.
global.gc?.();

/** Instead of who listened before: Miniflare would end this process before the databases have ended. */
function onSignal(react: (exitCode: number) => void) {
  for (const [signal, exitCode] of Object.entries(SIGNALS)) {
    process.removeAllListeners(signal);
    process.on(signal, () => react(exitCode));
  }
}

async function stop(exitCode: number) {
  // Ctrl-C comes from the terminal and, forwarded, from run.mjs.
  onSignal(() => {});
  // Processes that hang are ended by the exit.
  setTimeout(() => process.exit(exitCode), 3_000);
  demo.abort();
  door.close();
  await workers.stop();
  await databases.stop();
  process.exit(exitCode);
}

/** Its password is kept until it has been shown and the demo account is made: a start may be interrupted. */
async function firstOperator(server: DatabaseServer): Promise<Login | undefined> {
  const pending: Login | undefined = await readFile(pendingOperator(), "utf8").then(JSON.parse, () => undefined);
  if (!pending && (await hasOperator(server))) return undefined;
  const password = OPERATOR_PASSWORD || randomBytes(9).toString("base64url");
  const operator = pending ?? { login: OPERATOR_LOGIN, password };
  if (!pending) await writeFile(pendingOperator(), JSON.stringify(operator), { mode: 0o600 });
  await insertFirstOperator(server, operator);
  return operator;
}

function demoFile() {
  return join(dataDir, "demo.json");
}

/** The time in the Workers, in ms. */
function currentTime() {
  return systemNow() + Number(CLOCK_OFFSET_SECONDS) * 1_000;
}

function pendingOperator() {
  return join(dataDir, "first-operator.json");
}

async function healthy(origin: string) {
  // On a busy machine the first answers take long.
  const deadline = systemNow() + 120_000;
  let answer = "no answer";
  while (systemNow() < deadline) {
    const response = await fetch(`${origin}/health`).catch(() => undefined);
    if (response?.ok) return;
    answer = (await response?.text()) ?? answer;
    await pause(100);
  }
  throw new Error(`The system did not become healthy: ${answer}`);
}

/** The gateway offers the login to the console. A system without the demo does not load its code. */
async function chooseDemoLogin() {
  const { prepareDemoLogin } = await import("./demo/account.ts");
  return prepareDemoLogin(demoFile(), currentTime());
}

/** Without the demo the system is as usable: it says why and goes on. */
async function offerDemo() {
  const known = operator ?? (OPERATOR_PASSWORD ? { login: OPERATOR_LOGIN, password: OPERATOR_PASSWORD } : undefined);
  const [baseUrl, file] = [`${origin}/api-v2`, demoFile()];
  try {
    const [{ openDemoAccount }, { runDemoFleet }] = await Promise.all([
      import("./demo/account.ts"),
      import("./demo/fleet.ts"),
    ]);
    const { progress, lines } = await openDemoAccount(baseUrl, file, currentTime(), known);
    for (const line of lines) console.log(line);
    const report = (problem: string) => console.error(`The demo fleet waits: ${problem}`);
    const options = { baseUrl, file, progress, now: currentTime, pause, signal: demo.signal };
    return () => runDemoFleet(options, report);
  } catch (error) {
    console.error(`No demo account: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

/** The local runtime does not by itself. A run that takes longer than a minute is not joined by a second one. */
function fireCronsEveryMinute() {
  let isRunning = false;
  setInterval(async () => {
    if (isRunning) return;
    isRunning = true;
    const now = new Date(currentTime());
    // Work that failed is due again a minute later; the Worker logs the reason.
    await workers.fireCrons(now).catch(() => undefined);
    isRunning = false;
  }, 60_000);
}
