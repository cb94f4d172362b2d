import { WORKERS, type WorkerName } from "../workers.ts";
import type { WorkerConfig } from "./content.ts";
import { type Binding, type Deployment, type Platform, PlatformError } from "./platform.ts";

export type DeployedWorker = {
  migrationTag: string | undefined;
  deployments: Deployment[];
  /** Tag and bindings of the version that answers. */
  tag: string | undefined;
  bindings: Binding[];
};
/** Everything that a deployment has to know about the account before it changes anything. */
export type PlatformState = {
  workers: Partial<Record<WorkerName, DeployedWorker>>;
  missingBuckets: string[];
  missingQueues: string[];
  problems: string[];
};
export type WorkerConfigs = Record<WorkerName, WorkerConfig>;

/** The plain variable that says to which installation a Worker belongs. */
export const INSTALLATION_BINDING = "INSTALLATION";

/** Permissions of a token, as the platform calls them, by the first part of the path that needs them. */
const PERMISSIONS = { workers: "Workers Scripts: Edit", r2: "Workers R2 Storage: Edit", queues: "Queues: Edit" };

export async function readPlatformState(platform: Platform, configs: WorkerConfigs): Promise<PlatformState> {
  const refused = new Set<string>();
  const guard = async <T>(resource: keyof typeof PERMISSIONS, read: Promise<T>): Promise<T | undefined> => {
    return read.catch((error) => {
      if (!(error instanceof PlatformError) || ![401, 403].includes(error.status)) throw error;
      refused.add(PERMISSIONS[resource]);
      return undefined;
    });
  };
  const buckets = WORKERS.flatMap((worker) => configs[worker].r2_buckets.map(({ bucket_name }) => bucket_name));
  const queues = WORKERS.flatMap((worker) => (configs[worker].queues.producers ?? []).map(({ queue }) => queue));
  const [workers, hasBucket, hasQueue] = await Promise.all([
    Promise.all(WORKERS.map((worker) => guard("workers", readWorker(platform, configs[worker].name)))),
    Promise.all(buckets.map((name) => guard("r2", platform.hasBucket(name)))),
    Promise.all(queues.map((name) => guard("queues", platform.findQueue(name)))),
  ]);
  return {
    workers: Object.fromEntries(WORKERS.map((worker, index) => [worker, workers[index]])),
    missingBuckets: buckets.filter((_, index) => !hasBucket[index]),
    missingQueues: queues.filter((_, index) => !hasQueue[index]),
    problems: permissionProblems(refused, platform.account),
  };
}

async function readWorker(platform: Platform, name: string): Promise<DeployedWorker | undefined> {
  const found = await platform.findWorker(name);
  if (!found) return undefined;
  const deployments = await platform.deployments(name);
  const active = activeVersion(deployments);
  const version = active ? await platform.version(name, active) : { tag: undefined, bindings: [] };
  return { ...found, deployments, ...version };
}

export function activeVersion(deployments: Deployment[]): string | undefined {
  const versions = deployments[0]?.versions ?? [];
  return versions.toSorted((one, other) => other.percentage - one.percentage)[0]?.version_id;
}

function permissionProblems(refused: Set<string>, account: string): string[] {
  const all = Object.values(PERMISSIONS);
  if (all.every((permission) => refused.has(permission)))
    return [
      `The platform refuses the login for the account ${account}: run \`npx wrangler login\`, or set CLOUDFLARE_API_TOKEN to a valid token of that account.`,
    ];
  return [...refused].map((permission) => `The login lacks the permission "${permission}" on the account ${account}.`);
}

/** Sentences for Workers whose names are taken by something that this installation did not deploy. */
export function foreignWorkers(
  state: PlatformState,
  configs: WorkerConfigs,
  installation: string | undefined,
): string[] {
  return WORKERS.flatMap((worker) => {
    const deployed = state.workers[worker];
    const owner = deployed?.bindings.find(({ name }) => name === INSTALLATION_BINDING)?.text;
    if (!deployed || (owner && owner === installation)) return [];
    const whose = owner ? `belongs to another installation (${owner})` : "was not deployed by this program";
    return [
      `The Worker ${configs[worker].name} of this account ${whose}: choose other names with \`npm run environment <name>\` and \`-- --env <name>\`, or take it over with \`-- --adopt\`.`,
    ];
  });
}
