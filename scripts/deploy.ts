// npm run deploy: brings an installation on the platform to this version, or back with --rollback. See docs/operating.md.
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { installationOf, storeEnvironment, withoutNewKeys } from "./database/identity.ts";
import { acquireLease, type Lease } from "./deploy/lease.ts";
import { describePlan, setSecrets } from "./deploy/plan.ts";
import { openPlatform } from "./deploy/platform.ts";
import { type Preflight, runPreflight } from "./deploy/preflight.ts";
import { activate, applyTriggers, isActive, newRelease, rollBack } from "./deploy/release.ts";
import { readPlatformState } from "./deploy/state.ts";
import { createMissingWorkers, type Upload, uploadVersions } from "./deploy/upload.ts";
import { runSmokeTest } from "./deploy/verify.ts";
import { secretBindings } from "./system/bindings.ts";
import { bundleChanged } from "./system/bundle.ts";
import { leastPopulation, loadGazetteer } from "./system/gazetteer.ts";
import { hasOperator, insertFirstOperator } from "./system/operator.ts";
import type { Secrets } from "./system/secrets.ts";
import { type DatabaseServer, givenServer } from "./system/sqld.ts";
import { migrateAll } from "./tracker-databases.ts";
import { deployedName, forEachWorker, type WorkerName } from "./workers.ts";

const USAGE = "npm run deploy -- [--dry-run | --rollback] [--env <name>] [--adopt] [--new-key <KEY>]";
const options = readOptions();
const goesBack = `npm run deploy -- ${options.env ? `--env ${options.env} ` : ""}--rollback`;

try {
  if (options.rollback) await goBack();
  else await deploy();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        "dry-run": { type: "boolean", default: false },
        rollback: { type: "boolean", default: false },
        adopt: { type: "boolean", default: false },
        env: { type: "string", default: "" },
        "new-key": { type: "string", multiple: true, default: [] },
      },
    });
    return values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message.split(".")[0] : error}. Usage: ${USAGE}`);
    return process.exit(1);
  }
}

async function deploy() {
  const isDry = options["dry-run"];
  const preflight = await runPreflight(
    { environment: options.env, isDry, adopts: options.adopt, args: process.argv },
    process.env,
  );
  const { problems, unchecked } = preflight;
  if (!isDry && problems.length + unchecked.length > 0) {
    printList("Nothing was changed. To be solved first:", [...problems, ...unchecked]);
    process.exitCode = 1;
    return;
  }
  console.log("build the console and bundle the six Workers");
  await bundleChanged({ withConsole: true });
  printList("Plan:", describePlan(preflight, process.env));
  if (!isDry) return apply(preflight);
  printList("Not checked:", unchecked);
  printList("To be solved before a deployment:", problems);
  console.log("Nothing was changed: this was a dry run.");
  if (problems.length > 0) process.exitCode = 1;
}

async function apply(preflight: Preflight) {
  const gateway = preflight.variables.servers.gateway as DatabaseServer;
  const lease = await acquireLease(gateway);
  const stopReleasing = releaseOnSignals(lease);
  try {
    const { platform, configs } = preflight;
    // Another deployment may have ended since the preflight: what is missing then is there now.
    const state = platform && (await readPlatformState(platform, configs));
    const upload = await prepare({ ...preflight, state });
    const versions = await uploadAll(upload);
    await lease.confirm();
    if (isActive(upload, versions)) console.log("the six versions are active already");
    else await activateAll(upload, versions);
    await applyTriggers(upload);
    if (!(await runSmokeTest(process.env, step))) throw new Error(`The smoke test failed. The way back: ${goesBack}`);
  } finally {
    stopReleasing();
    await lease.release();
  }
}

/** Databases, the first operator, buckets and queues: everything that versions need before they are uploaded. */
async function prepare({ variables, configs, platform, state }: Preflight): Promise<Upload> {
  if (!platform || !state) throw new Error("The platform was not checked.");
  // Complete, because the preflight has no problems.
  const keys = variables.keys as Secrets;
  const givenServers = variables.servers as Record<WorkerName, DatabaseServer>;
  step("migrate the databases");
  const servers = await migrateAll(givenServers, withoutNewKeys(keys, process.argv), keys);
  await storeEnvironment(servers.gateway, options.env);
  await loadGazetteer(servers.geo, leastPopulation());
  await makeFirstOperator(servers.gateway);
  for (const name of state.missingBuckets) {
    step(`create the bucket ${name}`);
    await platform.createBucket(name);
  }
  for (const name of state.missingQueues) {
    step(`create the queue ${name}`);
    await platform.createQueue(name);
  }
  const secrets = await forEachWorker(async (worker) =>
    setSecrets(secretBindings(worker, servers[worker], keys, process.env)),
  );
  return {
    ...{
      platform,
      state,
      configs,
      environment: options.env,
      env: { ...process.env, CLOUDFLARE_ACCOUNT_ID: platform.account },
    },
    ...{ installation: await installationOf(servers.gateway), secrets, tagKey: keys.CREDENTIAL_KEY, report: step },
  };
}

async function uploadAll(upload: Upload) {
  try {
    await createMissingWorkers(upload);
    return await uploadVersions(upload);
  } catch (error) {
    throw new Error(
      `${error instanceof Error ? error.message : error}\nNothing was activated. Run the command again: uploaded versions are used again.`,
    );
  }
}

async function activateAll(upload: Upload, versions: Awaited<ReturnType<typeof uploadVersions>>) {
  const release = newRelease();
  try {
    await activate(upload, versions, release);
  } catch (error) {
    throw new Error(
      `${error instanceof Error ? error.message : error}\nRun the command again, or go back: ${goesBack}`,
    );
  }
  step(`release ${release} is active; the way back: ${goesBack}`);
}

async function goBack() {
  const platform = await openPlatform(process.env);
  const names = await forEachWorker(async (worker) => deployedName(worker, options.env));
  const lease = await leaseIfPossible();
  try {
    const release = await rollBack(platform, names, step);
    step(`release ${release} is active again`);
  } finally {
    await lease?.release();
  }
}

/** The way back needs no database: without one only the protection from another deployment is missing. */
async function leaseIfPossible(): Promise<Lease | undefined> {
  const gateway = givenServer("gateway");
  if (!gateway) return undefined;
  return acquireLease(gateway).catch((error) => {
    if (error instanceof Error && error.message.includes("has been deploying")) throw error;
    console.error("GATEWAY_DB_URL does not answer: another deployment at the same time would not be noticed.");
    return undefined;
  });
}

async function makeFirstOperator(server: DatabaseServer) {
  if (await hasOperator(server)) return;
  const { OPERATOR_LOGIN: login = "admin", OPERATOR_PASSWORD } = process.env;
  const password = OPERATOR_PASSWORD || randomBytes(9).toString("base64url");
  await insertFirstOperator(server, { login, password });
  if (!OPERATOR_PASSWORD) console.log(`operator   ${login} / ${password}   (not shown again)`);
}

/** Ctrl-C leaves the installation to the next deployment at once. */
function releaseOnSignals(lease: Lease) {
  const end = () => void lease.release().finally(() => process.exit(130));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
  return () => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, end);
  };
}

function printList(title: string, lines: string[]) {
  if (lines.length > 0) console.log([title, ...lines.map((line) => `  ${line}`)].join("\n"));
}

function step(line: string) {
  console.log(line);
}
