import { readFileSync } from "node:fs";
import { connectionProblem, withClient } from "../database/client.ts";
import { environmentProblem, withoutNewKeys } from "../database/identity.ts";
import { type Inspection, inspectDatabases, namedDatabases } from "../database/inspect.ts";
import { configOf, forEachWorker, WORKERS } from "../workers.ts";
import { configFor } from "./content.ts";
import { outdatedEnvironment } from "./environment.ts";
import { NoPlatformError, openPlatform, type Platform, PlatformError } from "./platform.ts";
import { foreignWorkers, type PlatformState, readPlatformState, type WorkerConfigs } from "./state.ts";
import { machineProblem, readVariables, type Variables } from "./variables.ts";

export type Options = { environment: string; isDry: boolean; adopts: boolean; args: string[] };
export type Preflight = {
  variables: Variables;
  configs: WorkerConfigs;
  inspection: Inspection;
  platform: Platform | undefined;
  state: PlatformState | undefined;
  /** One sentence for each reason not to deploy. */
  problems: string[];
  /** Sentences for what could not be checked: a dry run goes on without it, a deployment does not begin. */
  unchecked: string[];
};

/** Finds everything that would stop a deployment, without changing anything. */
export async function runPreflight(options: Options, env: Record<string, string | undefined>): Promise<Preflight> {
  const variables = readVariables(env);
  const configs = await forEachWorker(async (worker) => configFor(worker, options.environment));
  const tomls = WORKERS.map((worker) => readFileSync(configOf(worker), "utf8"));
  const machine = machineProblem(process.platform, process.versions.node);
  const problems = [
    ...(machine ? [machine] : []),
    ...outdatedEnvironment(tomls, options.environment),
    ...variables.problems,
  ];
  const unchecked: string[] = [];

  const [inspection, answer] = await Promise.all([
    inspectDatabases(variables.servers, withoutNewKeys(variables.keys, options.args)),
    askPlatform(env, configs, problems, unchecked),
  ]);
  problems.push(...inspection.problems);
  const away = inspection.databases.flatMap(({ unreachable }) => unreachable ?? []);
  const answering = inspection.databases.filter(({ unreachable }) => !unreachable).map(({ label }) => label);
  if (!options.isDry) problems.push(...(await findReadOnly(variables, answering)));
  unchecked.push(...away);
  const isIdentityKnown = inspection.databases.some(({ worker, unreachable }) => worker === "gateway" && !unreachable);
  if (isIdentityKnown && variables.servers.gateway)
    problems.push(...(await environmentProblem(variables.servers.gateway, options.environment)));
  if (answer.state) {
    problems.push(...answer.state.problems);
    if (!options.adopts && isIdentityKnown)
      problems.push(...foreignWorkers(answer.state, configs, inspection.installation));
  }
  return { variables, configs, inspection, ...answer, problems, unchecked };
}

type Answer = Pick<Preflight, "platform" | "state">;

async function askPlatform(
  env: Record<string, string | undefined>,
  configs: WorkerConfigs,
  problems: string[],
  unchecked: string[],
): Promise<Answer> {
  try {
    const platform = await openPlatform(env);
    return { platform, state: await readPlatformState(platform, configs) };
  } catch (error) {
    if (error instanceof PlatformError) problems.push(error.message);
    else if (error instanceof NoPlatformError) unchecked.push(error.message);
    else throw error;
    return { platform: undefined, state: undefined };
  }
}

/** Those of the answering databases whose token may only read: found by a transaction that is rolled back. */
async function findReadOnly({ servers }: Variables, answering: string[]): Promise<string[]> {
  const databases = namedDatabases(servers).filter(({ label }) => answering.includes(label));
  const probes = databases.map(async ({ label, server }) => {
    try {
      await withClient(server, async (client) => {
        const transaction = await client.transaction("write");
        await transaction.execute("CREATE TABLE deployment_probe (id INTEGER)");
        await transaction.rollback();
      });
      return [];
    } catch (error) {
      const { message } = error instanceof Error ? error : new Error(String(error));
      if (!/[Bb]locked|read.?only|[Uu]nauthorized|40[13]/.test(message))
        return [connectionProblem(label, server, error)];
      return [
        `${label}: the token may read the database but not write to it; set ${label.replace("_URL", "_TOKEN")} to one that may.`,
      ];
    }
  });
  return (await Promise.all(probes)).flat();
}
