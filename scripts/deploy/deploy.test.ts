import { generateKeyPairSync } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@libsql/client/http";
import { SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { IS_CAMPAIGN } from "#test/tool/effort.ts";
import { type FakePlatform, startFakePlatform } from "#test/tool/platform/fake-platform.ts";
import {
  commandLines,
  type DeployedInstallation,
  type FinishedCommand,
  filesWith,
  newDeployedInstallation,
} from "#test/tool/platform/installation.ts";
import { bundleOf } from "../system/bundle.ts";
import { freePorts } from "../system/free-ports.ts";
import { newSecrets } from "../system/secrets.ts";
import { startServer } from "../system/sqld.ts";
import { deployedName, folderOf, ROOT, WORKERS, type WorkerName } from "../workers.ts";
import { configFor } from "./content.ts";
import { acquireLease } from "./lease.ts";
import { openPlatform } from "./platform.ts";
import { runPreflight } from "./preflight.ts";
import { rollBack } from "./release.ts";

let platform: FakePlatform;
let installation: DeployedInstallation;
/** The README's lines, run one after the other: a dry run and the first deployment. */
let dryRun: FinishedCommand;
let first: FinishedCommand;
let firstChanges: string[];
let tablesAfterDryRun: unknown[];
const exposed = new Set<string>();

beforeAll(async () => {
  platform = await startFakePlatform();
  installation = await newDeployedInstallation(platform);
  const [load = "", dry = "", deploy = ""] = readmeCommands();
  await writeFile(join(installation.home, "fleet.env"), assignments(installation.env));
  dryRun = await installation.paste(`${load}\n${dry}`);
  expect(platform.takeChanges()).toEqual([]);
  tablesAfterDryRun = await Promise.all(WORKERS.map((worker) => rowsOf(worker, "SELECT name FROM sqlite_master")));

  const secrets = installation.secretValues();
  const stop = platform.onRequest(() => {
    for (const line of commandLines()) if (secrets.some((secret) => line.includes(secret))) exposed.add(line);
  });
  first = await installation.paste(`${load}\n${deploy}`);
  stop();
  firstChanges = platform.takeChanges();
});

afterAll(async () => {
  await installation.remove();
  await platform.stop();
});

function readmeCommands() {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const section = readme.slice(readme.indexOf("## Deploying"), readme.indexOf("## Documents"));
  expect(section.trimEnd().split("\n").length).toBeLessThan(15);
  return (/```sh\n([^`]*)```/.exec(section)?.[1] ?? "").trim().split("\n");
}

function assignments(env: Record<string, string>) {
  return Object.entries(env)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join("");
}

async function rowsOf(worker: WorkerName, sql: string) {
  const { url, token } = installation.databases.servers[worker];
  const client = createClient({ url, authToken: token });
  const { rows } = await client.execute(sql).finally(() => client.close());
  return rows.map((row) => ({ ...row }));
}

/** The release that each Worker answers with, in the order of WORKERS. */
const releases = (environment = "") =>
  WORKERS.map((worker) => platform.account.activeMessage(deployedName(worker, environment))?.split(" ").at(-1));
const uploadsIn = (changes: string[]) => changes.filter((line) => line.endsWith("/versions")).map(nameIn);
const activationsIn = (changes: string[]) => changes.filter((line) => line.endsWith("/deployments")).map(nameIn);
const nameIn = (line: string) => /scripts\/([\w-]+)/.exec(line)?.[1] ?? "";
const preflight = (env: Record<string, string | undefined> = {}, adopts = false) =>
  runPreflight({ environment: "", isDry: false, adopts, args: [] }, { ...installation.env, ...env });

test("deploy --dry-run changes neither the platform nor a database, and shows the plan", () => {
  expect(dryRun.code).toBe(0);
  expect(tablesAfterDryRun).toEqual(WORKERS.map(() => []));
  expect(dryRun.output).toContain("database of fleet (FLEET_DB_URL): apply 0000_tables.sql");
  expect(dryRun.output).toContain("bucket fleet-geo: create");
  expect(dryRun.output).toContain("queue fleet-reports: create");
  expect(dryRun.output).toMatch(
    /Worker fleet-tasks: \d+ KB compressed; new, with the secrets DB_URL, DB_TOKEN, RECORD_KEY/,
  );
  expect(dryRun.output).toContain("AUDIT (fleet-gateway)");
  expect(dryRun.output).toContain("Nothing was changed: this was a dry run.");
});

test("deploy uploads all versions of a first deployment before it activates one, services before the gateway", () => {
  expect(first).toEqual({ code: 0, output: expect.stringContaining("is active") });
  const services = WORKERS.filter((worker) => worker !== "gateway").map((worker) => deployedName(worker));
  expect(uploadsIn(firstChanges).toSorted()).toEqual([...services, "fleet-gateway"].toSorted());
  expect(activationsIn(firstChanges)).toEqual([...services, "fleet-gateway"]);
  const lastUpload = firstChanges.findLastIndex((line) => line.endsWith("/versions"));
  expect(firstChanges.findIndex((line) => line.endsWith("/deployments"))).toBeGreaterThan(lastUpload);
});

test("deploy uploads all modules of a bundle, and the source map that restores names in traces", () => {
  const versions = platform.account.workers.get("fleet-files")?.versions ?? [];
  const bundled = readdirSync(bundleOf("files")).filter(
    (name) => !["README.md", "sources", "wrangler.log"].includes(name),
  );
  expect(bundled).toHaveLength(6);
  // The first version is that of the placeholder.
  expect(versions[1]?.files.toSorted()).toEqual(bundled.toSorted());
});

test("deploy gives each Worker its bindings, its own secrets and the id of the installation, and applies triggers", async () => {
  const [identity] = await rowsOf("gateway", "SELECT id, environment FROM installation");
  expect(identity?.environment).toBe("production");
  const byName = new Map(platform.account.activeBindings("fleet-geo").map((binding) => [binding.name, binding]));
  expect(byName.get("FLEET")).toMatchObject({ type: "service", service: "fleet-fleet" });
  expect(byName.get("INSTALLATION")).toMatchObject({ type: "plain_text", text: identity?.id });
  expect(byName.get("CREDENTIAL_KEY")).toMatchObject({ type: "secret_text", text: installation.env.CREDENTIAL_KEY });
  expect(byName.has("TOKEN_KEY")).toBe(false);
  for (const worker of WORKERS) {
    expect(platform.account.workers.get(deployedName(worker))).toMatchObject({
      crons: ["* * * * *"],
      workersDev: worker === "gateway",
      settings: { observability: { logs: { invocation_logs: false } } },
    });
  }
  expect(platform.account.queues.get("fleet-reports")?.consumers).toMatchObject([{ script: "fleet-reports" }]);
});

test("deploy shows no secret in the process list or its output, and leaves none in a file", () => {
  const secrets = installation.secretValues();
  expect([...exposed]).toEqual([]);
  for (const { output } of [dryRun, first]) for (const secret of secrets) expect(output).not.toContain(secret);
  const folders = [
    installation.home,
    ...WORKERS.map(bundleOf),
    ...WORKERS.map((worker) => join(folderOf(worker), ".wrangler")),
  ];
  const written = folders.filter((folder) => existsSync(folder)).flatMap((folder) => filesWith(folder, secrets));
  expect(written).toEqual([join(installation.home, "fleet.env")]);
});

test("deploy activates an upgrade as one release, prints the way back if its smoke test fails, and goes that way", async () => {
  const before = WORKERS.map(
    (worker) => platform.account.workers.get(deployedName(worker))?.deployments.at(-1)?.versions,
  );
  const earlier = releases();
  const upgrade = await installation.deploy([], {
    METRICS_KEY: `metrics-${platform.requests.length}`,
    // Nothing of the system answers there.
    ...{ SMOKE_LOGIN: "admin", SMOKE_PASSWORD: "secret", PUBLIC_URL: platform.environment.CLOUDFLARE_API_BASE_URL },
  });
  expect(upgrade.code).toBe(1);
  expect(upgrade.output).toContain("The smoke test failed. The way back: npm run deploy -- --rollback");
  expect(upgrade.output).toMatch(/Worker fleet-gateway: .*changed/);
  expect(upgrade.output).toMatch(/Worker fleet-tasks: .*unchanged/);
  const changes = platform.takeChanges();
  expect(uploadsIn(changes)).toEqual(["fleet-gateway"]);
  expect(activationsIn(changes)).toHaveLength(WORKERS.length);
  expect(new Set(releases()).size).toBe(1);
  expect(releases()[0]).not.toBe(earlier[0]);

  const back = await installation.deploy(["--rollback"]);
  expect(back.code).toBe(0);
  expect(releases()).toEqual(earlier);
  expect(activationsIn(platform.takeChanges())).toEqual(
    ["gateway", "reports", "files", "geo", "tasks", "fleet"].map((name) => `fleet-${name}`),
  );
  const after = WORKERS.map(
    (worker) => platform.account.workers.get(deployedName(worker))?.deployments.at(-1)?.versions,
  );
  expect(after).toEqual(before);
});

test("deploy activates nothing if an upload fails, goes on by itself, and undoes an activation that was cut off", async () => {
  const earlier = releases();
  const upgrade = { GEOCODER_URL: "https://places.example.com", METRICS_KEY: `metrics-${platform.requests.length}` };
  const acceptUploads = platform.refuseAll("POST", /fleet-geo\/versions$/, 400, 10021, "The script is broken.");
  const failed = await installation.deploy([], upgrade);
  acceptUploads();
  expect(failed.code).toBe(1);
  expect(failed.output).toMatch(/geo: wrangler versions upload failed: .*The script is broken/);
  expect(failed.output).toContain("Nothing was activated. Run the command again");
  expect(releases()).toEqual(earlier);
  expect(uploadsIn(platform.takeChanges())).toContain("fleet-gateway");

  const acceptGateway = platform.refuseAll("POST", /fleet-gateway\/deployments$/, 500, 10013, "Internal error");
  const cutOff = await installation.deploy([], upgrade);
  acceptGateway();
  expect(cutOff.output).toMatch(/fleet-gateway could not be activated, 5 of 6 Workers run the new version/);
  expect(cutOff.output).toContain("or go back: npm run deploy -- --rollback");
  expect(uploadsIn(platform.takeChanges())).toEqual(["fleet-geo"]);
  expect(new Set(releases()).size).toBe(2);

  expect((await installation.deploy(["--rollback"])).code).toBe(0);
  expect(releases()).toEqual(earlier);
  platform.takeChanges();
});

test.runIf(IS_CAMPAIGN)(
  "deploy --env staging makes an installation of its own, which continues after a failed first upload",
  async () => {
    const production = releases();
    const refused = await installation.deploy(["--env", "staging"]);
    expect(refused.output).toContain("GATEWAY_DB_URL has data of the environment production, not of staging");
    expect(platform.takeChanges()).toEqual([]);

    const staging = await newDeployedInstallation(platform);
    const accept = platform.refuseAll("POST", /fleet-staging-gateway\/versions$/, 403, 10000, "Authentication error");
    const failed = await staging.deploy(["--env", "staging"]);
    accept();
    expect(failed.output).toContain("Nothing was activated.");
    expect(releases("staging")).toEqual(WORKERS.map(() => undefined));
    expect(uploadsIn(platform.takeChanges())).toContain("fleet-staging-gateway");
    const done = await staging.deploy(["--env", "staging"]);
    expect(done).toEqual({ code: 0, output: expect.stringContaining("npm run deploy -- --env staging --rollback") });
    expect(new Set(releases("staging")).size).toBe(1);
    expect(releases()).toEqual(production);
    const changed = platform.takeChanges().map(nameIn).filter(Boolean);
    expect(changed.filter((name) => !name.startsWith("fleet-staging-"))).toEqual([]);
    const [own] = platform.account.activeBindings("fleet-staging-geo").filter(({ name }) => name === "DB_URL");
    expect(own?.text).toBe(staging.env.GEO_DB_URL);
    await staging.remove();
  },
);

test.runIf(IS_CAMPAIGN)(
  "deploy creates a new Durable Object class after all other uploads, and applies triggers that differ",
  async () => {
    const gateway = platform.account.workers.get("fleet-gateway");
    if (!gateway) throw new Error("The first deployment has made it.");
    // The Worker as it was before its last class came.
    gateway.migrationTag = "v5";
    gateway.classes.delete("WebhookSender");
    // A trigger that was changed elsewhere: the deployment brings it back.
    const tasks = platform.account.workers.get("fleet-tasks");
    tasks?.crons.splice(0);
    const changed = { ALLOW_PRIVATE_TARGETS: "1", METRICS_KEY: `metrics-${platform.requests.length}` };
    const { code } = await installation.deploy([], changed);
    expect(code).toBe(0);
    const changes = platform.takeChanges();
    expect(uploadsIn(changes).toSorted()).toEqual(["fleet-fleet", "fleet-geo"]);
    const created = changes.indexOf("PUT /workers/scripts/fleet-gateway");
    expect(created).toBeGreaterThan(changes.findLastIndex((line) => line.endsWith("/versions")));
    expect(gateway.migrationTag).toBe("v6");
    expect(tasks?.crons).toEqual(["* * * * *"]);
    expect(new Set(releases()).size).toBe(1);
  },
);

test("deploy lets one deployment run at a time and says who runs and since when", async () => {
  const { gateway } = installation.databases.servers;
  const lease = await acquireLease(gateway, "ann@build-7");
  await expect(acquireLease(gateway)).rejects.toThrow(
    /^ann@build-7 has been deploying to this installation since \d{4}-\d\d-\d\d \d\d:\d\d UTC: wait for the end/,
  );
  const second = await installation.deploy([]);
  expect(second).toEqual({ code: 1, output: expect.stringContaining("ann@build-7 has been deploying") });
  expect(platform.takeChanges()).toEqual([]);
  await lease.release();

  // A killed deployment releases nothing: its lease ends by itself.
  const killed = await acquireLease(gateway, "ann@build-7");
  await rowsOf("gateway", "UPDATE deployment_lease SET expires = unixepoch() - 1");
  const races = await Promise.allSettled([acquireLease(gateway), acquireLease(gateway), acquireLease(gateway)]);
  const won = races.flatMap((race) => (race.status === "fulfilled" ? race.value : []));
  expect(won).toHaveLength(1);
  await won[0]?.confirm();
  await expect(killed.confirm()).rejects.toThrow("Another deployment has begun meanwhile");
  await won[0]?.release();
});

test("deploy lists all problems of variables, databases and keys at once and changes nothing", async () => {
  const { code, output } = await installation.deploy([], {
    TOKEN_KEY: "short",
    RECORD_KEY: undefined,
    PUBLIC_URL: "fleet.example.com",
    FILES_DB_URL: "files",
    TASKS_DB_URL: installation.env.FLEET_DB_URL,
    TASKS_DB_TOKEN: installation.env.FLEET_DB_TOKEN,
    REPORTS_DB_URL: "http://no-such-host.invalid",
    CREDENTIAL_KEY: newSecrets().CREDENTIAL_KEY,
    GEOCODER_URL: "geocoder",
    ALLOW_PRIVATE_TARGETS: "yes",
    FCM_SERVICE_ACCOUNT: "{}",
    CLOCK_OFFSET_SECONDS: "60",
  });
  expect(code).toBe(1);
  for (const sentence of [
    "Nothing was changed. To be solved first:",
    "TOKEN_KEY must be a list of 32 bytes",
    "RECORD_KEY is not set: make it once",
    "PUBLIC_URL is no address",
    "FILES_DB_URL is no address of a libSQL server",
    "FLEET_DB_URL and TASKS_DB_URL name the same database",
    "TASKS_DB_URL has the data of fleet, not of tasks",
    "REPORTS_DB_URL: the database server no-such-host.invalid does not answer",
    "CREDENTIAL_KEY differs from the key that the data was written with",
    "GEOCODER_URL is no address",
    "ALLOW_PRIVATE_TARGETS is 0 or 1",
    "FCM_SERVICE_ACCOUNT is not the JSON of a service account",
    "CLOCK_OFFSET_SECONDS is for local runs only",
  ])
    expect(output).toContain(sentence);
  expect(platform.takeChanges()).toEqual([]);
});

test("npm run migrate refuses mistaken databases and keys as a deployment does, before it changes one", async () => {
  const mistaken = `TASKS_DB_URL=$FLEET_DB_URL TASKS_DB_TOKEN=$FLEET_DB_TOKEN CREDENTIAL_KEY=${newSecrets().CREDENTIAL_KEY}`;
  const refused = await installation.paste(`${mistaken} npm run -s migrate`);
  expect(refused.code).toBe(1);
  expect(refused.output).toContain("TASKS_DB_URL has the data of fleet, not of tasks");
  expect(refused.output).toContain("CREDENTIAL_KEY differs from the key that the data was written with");
  expect(refused.output).not.toContain("up to date");
});

test("deploy --dry-run bundles without a network and names what it could not check", async () => {
  const away = { CLOUDFLARE_API_BASE_URL: "http://no-such-host.invalid", GEO_DB_URL: "https://geo.invalid" };
  const { code, output } = await installation.deploy(["--dry-run"], away);
  expect(code).toBe(0);
  expect(output).toContain("Not checked:");
  expect(output).toMatch(/GEO_DB_URL: the database server geo\.invalid does not answer \((ENOTFOUND|EAI_AGAIN)\)/);
  expect(output).toMatch(/The platform \(no-such-host\.invalid\) does not answer \((ENOTFOUND|EAI_AGAIN)\)/);
  expect(output).toMatch(/Worker fleet-geo: \d+ KB compressed; not compared with the deployed version/);
  expect(output).not.toContain("fetch failed");
});

test("runPreflight names missing permissions and a refused login", async () => {
  const accept = platform.refuseAll("*", /^\/r2\//, 403, 10000, "Authentication error");
  const { problems } = await preflight();
  accept();
  expect(problems).toEqual([
    expect.stringMatching(/^The login lacks the permission "Workers R2 Storage: Edit" on the account/),
  ]);
  const refused = await preflight({ CLOUDFLARE_API_TOKEN: "other" });
  expect(refused.problems).toEqual([expect.stringMatching(/^The platform refuses the login .*npx wrangler login/)]);
  const acceptAll = platform.refuseAll("GET", /^\/workers\//, 400, 6003, "Invalid request headers");
  const malformed = await preflight();
  acceptAll();
  expect(malformed.problems).toEqual([
    expect.stringMatching(/^The platform refused .*Invalid request headers \(6003\)\.$/),
  ]);
  const loggedOut = await preflight({ CLOUDFLARE_API_TOKEN: undefined });
  expect(loggedOut.unchecked).toEqual([expect.stringMatching(/^wrangler is not logged in: run `npx wrangler login`/)]);
  platform.takeChanges();
});

test("runPreflight refuses Workers of other owners, unless they are to be taken over", async () => {
  const bindings = platform.account.activeBindings("fleet-files");
  const owner = bindings.find(({ name }) => name === "INSTALLATION");
  const { text = "" } = owner ?? {};
  Object.assign(owner ?? {}, { text: "other" });
  const { problems } = await preflight();
  expect(problems).toEqual([
    expect.stringMatching(
      /^The Worker fleet-files of this account belongs to another installation \(other\): choose other names/,
    ),
  ]);
  expect((await preflight({}, true)).problems).toEqual([]);
  Object.assign(owner ?? {}, { text });
});

test("runPreflight names a database whose token may only read, and leaves nothing in the others", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const token = await new SignJWT({ a: "ro" }).setProtectedHeader({ alg: "EdDSA" }).sign(privateKey);
  const [port = 0] = await freePorts(1);
  const folder = join(installation.home, "read-only");
  const server = await startServer(folder, port, "FILES_DB_URL", String(publicKey.export({ format: "jwk" }).x));
  // In the same list as a database that does not answer.
  const away = { REPORTS_DB_URL: "http://no-such-host.invalid" };
  const { problems, unchecked } = await preflight({ FILES_DB_URL: server.url, FILES_DB_TOKEN: token, ...away });
  await server.stop();
  expect(problems).toEqual([
    "FILES_DB_URL: the token may read the database but not write to it; set FILES_DB_TOKEN to one that may.",
  ]);
  expect(unchecked).toEqual([expect.stringContaining("REPORTS_DB_URL")]);
  expect((await preflight()).problems).toEqual([]);
  expect(await rowsOf("fleet", "SELECT name FROM sqlite_master WHERE name LIKE '%probe%'")).toEqual([]);
});

test("deploy refuses options that it does not know, and configFor an environment that is not written", async () => {
  const unknown = await installation.deploy(["--dry"]);
  expect(unknown).toEqual({
    code: 1,
    output: expect.stringContaining("Usage: npm run deploy -- [--dry-run | --rollback]"),
  });
  expect(() => configFor("geo", "canary")).toThrow("write it with `npm run environment canary`");
});

test("rollBack says that there is nothing to go back to before a second release", async () => {
  const empty = await startFakePlatform();
  const names = Object.fromEntries(WORKERS.map((worker) => [worker, deployedName(worker)])) as Record<
    WorkerName,
    string
  >;
  const back = rollBack(await openPlatform(empty.environment), names, () => {});
  await expect(back).rejects.toThrow("There is no earlier release to go back to.");
  await empty.stop();
});
