// npm run deploy: migrates the databases named by GATEWAY_DB_URL, …, makes the first operator, uploads the six Workers.
// With --dry-run it only bundles what it would upload, and names the steps.
import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { secretBindings } from "./system/bindings.ts";
import { leastPopulation, loadGazetteer } from "./system/gazetteer.ts";
import { hasOperator, insertFirstOperator } from "./system/operator.ts";
import { requireKeys, type Secrets } from "./system/secrets.ts";
import { type DatabaseServer, givenServer } from "./system/sqld.ts";
import { buildStaticFiles } from "./system/static-files.ts";
import { migrateDatabases } from "./tracker-databases.ts";
import { configOf, deployedName, ROOT, WORKERS, type WorkerName } from "./workers.ts";

const WRANGLER = join(ROOT, "node_modules", "wrangler", "bin", "wrangler.js");
const KEYS = ["CREDENTIAL_KEY", "TOKEN_KEY", "ENCRYPTION_KEY", "VAPID_PRIVATE_KEY", "RECORD_KEY"] as const;
const isDry = process.argv.includes("--dry-run");

process.on("uncaughtException", (error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});

if (Number(process.env.CLOCK_OFFSET_SECONDS || 0) !== 0)
  throw new Error("CLOCK_OFFSET_SECONDS is for local runs only.");
if (!isDry && !URL.canParse(process.env.PUBLIC_URL ?? ""))
  throw new Error("PUBLIC_URL is not set: what do mailed links and addresses of files begin with?");
const databases = new Map(WORKERS.map((worker) => [worker, serverOf(worker)]));
const secrets = givenSecrets();

for (const [worker, server] of databases) {
  step(`migrate the database of ${worker}`);
  if (server) databases.set(worker, (await migrateDatabases(worker, server)).server);
  if (server && worker === "geo") await loadGazetteer(server, leastPopulation());
}
await makeFirstOperator(databases.get("gateway"));

for (const worker of WORKERS) {
  await makeBuckets(worker);
  await makeQueues(worker);
}
await buildStaticFiles();

// Workers refer to each other both ways: the first one uploaded would name a Worker that does not exist yet.
const missing = isDry ? WORKERS : await filterMissing();
for (const worker of missing) {
  step(`upload ${worker} without its bindings to the others`);
  await withoutServices(worker, (config) => wrangler(["deploy", ...dry(), "--config", config]));
}
for (const worker of WORKERS) {
  step(`upload the secrets of ${worker}`);
  const server = databases.get(worker);
  if (server) await putSecrets(worker, server);
}
for (const worker of WORKERS) {
  step(`upload ${worker}`);
  await wrangler(["deploy", ...dry(), "--config", configOf(worker)]);
}

function serverOf(worker: WorkerName): DatabaseServer | undefined {
  const server = givenServer(worker);
  if (!server && !isDry)
    throw new Error(`${worker.toUpperCase()}_DB_URL is not set: where is the database of ${worker}?`);
  return server;
}

/** Keys are never made here: lost ones would lose every session, API key and file link. */
function givenSecrets(): Secrets {
  const given = KEYS.map((name) => {
    const value = process.env[name] ?? "";
    if (!value && !isDry) throw new Error(`${name} is not set. Make it once and keep it: ${recipeOf(name)}`);
    return [name, value] as const;
  });
  // All of the keys, each with a text.
  const secrets = Object.fromEntries(given) as Secrets;
  if (!isDry) requireKeys(secrets);
  return secrets;
}

function recipeOf(name: (typeof KEYS)[number]) {
  const encoding = name.endsWith("_PRIVATE_KEY") || name === "RECORD_KEY" ? "base64url" : "hex";
  return `node -p "crypto.randomBytes(32).toString('${encoding}')"`;
}

async function makeFirstOperator(server: DatabaseServer | undefined) {
  if (!server || (await hasOperator(server))) return;
  const { OPERATOR_LOGIN: login = "admin", OPERATOR_PASSWORD } = process.env;
  const password = OPERATOR_PASSWORD || randomBytes(9).toString("base64url");
  await insertFirstOperator(server, { login, password });
  if (!OPERATOR_PASSWORD) console.log(`operator   ${login} / ${password}   (not shown again)`);
}

/** A Worker cannot be uploaded before the buckets that it names are there. */
async function makeBuckets(worker: WorkerName) {
  const config = await readFile(configOf(worker), "utf8");
  for (const { groups } of config.matchAll(/^bucket_name = "(?<bucket>.+)"$/gm)) {
    const { bucket = "" } = groups ?? {};
    step(`make the bucket ${bucket}, if there is none`);
    if (isDry || (await succeeds(["r2", "bucket", "info", bucket]))) continue;
    await wrangler(["r2", "bucket", "create", bucket]);
  }
}

async function makeQueues(worker: WorkerName) {
  const config = await readFile(configOf(worker), "utf8");
  // Queues to which the Worker sends; the consumers of each are listed beside it.
  for (const { groups } of config.matchAll(/^\[\[queues\.producers\]\]\nbinding = ".+"\nqueue = "(?<queue>.+)"$/gm)) {
    const { queue = "" } = groups ?? {};
    step(`make the queue ${queue}, if there is none`);
    if (isDry || (await succeeds(["queues", "info", queue]))) continue;
    await wrangler(["queues", "create", queue]);
  }
}

async function filterMissing(): Promise<WorkerName[]> {
  const known = await Promise.all(
    WORKERS.map((worker) => succeeds(["deployments", "list", "--name", deployedName(worker)])),
  );
  return WORKERS.filter((_, index) => !known[index]);
}

function succeeds(args: string[]): Promise<boolean> {
  return promisify(execFile)(process.execPath, [WRANGLER, ...args], { cwd: ROOT }).then(
    () => true,
    () => false,
  );
}

/** A copy of the Worker's configuration beside it, less what names other Workers. */
async function withoutServices(worker: WorkerName, use: (config: string) => Promise<void>) {
  const config = configOf(worker);
  const alone = join(dirname(config), "wrangler.first.toml");
  const whole = await readFile(config, "utf8");
  await writeFile(alone, whole.replace(/\[\[services\]\]\n(?:[^[\n].*\n?)*/g, ""));
  await use(alone).finally(() => rm(alone));
}

/** Over standard input: arguments are there for everybody on the machine to see. */
async function putSecrets(worker: WorkerName, server: DatabaseServer) {
  if (isDry) return;
  const bindings = secretBindings(worker, server, secrets, process.env);
  const given = Object.fromEntries(Object.entries(bindings).filter(([, value]) => value !== ""));
  await wrangler(["secret", "bulk", "--name", deployedName(worker)], JSON.stringify(given));
}

function wrangler(args: string[], input = ""): Promise<void> {
  return new Promise((resolve, reject) => {
    const environment = { ...process.env, WRANGLER_SEND_METRICS: "false", WRANGLER_HIDE_BANNER: "true" };
    const child = spawn(process.execPath, [WRANGLER, ...args], {
      cwd: ROOT,
      env: environment,
      stdio: ["pipe", isDry ? "ignore" : "inherit", "inherit"],
    });
    child.stdin?.end(input);
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`wrangler ${args[0]} failed.`))));
  });
}

function dry() {
  return isDry ? ["--dry-run"] : [];
}

function step(name: string) {
  console.log(`${isDry ? "would " : ""}${name}`);
}
