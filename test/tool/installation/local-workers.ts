import { rm } from "node:fs/promises";
import { join } from "node:path";
import { bundleChanged } from "../../../scripts/system/bundle.ts";
import { freePorts } from "../../../scripts/system/free-ports.ts";
import { type Fronts, type OtherRelease, startWorkers } from "../../../scripts/system/miniflare.ts";
import { newSecrets, type Secrets } from "../../../scripts/system/secrets.ts";
import { type DatabaseServer, startDatabases } from "../../../scripts/system/sqld.ts";
import { migrateAll } from "../../../scripts/tracker-databases.ts";
import type { WorkerName } from "../../../scripts/workers.ts";
import { startMigratedDatabases } from "../database/migrated.ts";
import { newDataFolder } from "../system/data-folder.ts";
import { CHEAP_PASSWORDS } from "../system/operator.ts";

const ENVIRONMENT = {
  ...CHEAP_PASSWORDS,
  ALLOW_PRIVATE_TARGETS: "1",
  RATE_LIMIT_PER_SECOND: "100000",
  RATE_LIMIT_PER_ADDRESS: "1000000",
};

type Changes = {
  geo?: DatabaseServer;
  keys?: Partial<Secrets>;
  fronts?: Fronts;
  otherReleases?: Partial<Record<WorkerName, OtherRelease>>;
};
export type LocalInstallation = Awaited<ReturnType<typeof newLocalInstallation>>;

/** Databases, a folder and ports for Workers that run as `npm start` runs them, and may be killed, stopped and started again. */
export async function newLocalInstallation() {
  const folder = await newDataFolder("local");
  const databaseFolder = join(folder, "databases");
  let [databases] = await Promise.all([startMigratedDatabases(databaseFolder), bundleChanged()]);
  let { servers } = databases;
  const [port = 0, inspectorPort = 0] = await freePorts(2);
  const secrets = newSecrets();
  const address = { host: "127.0.0.1", port, inspectorPort };
  const origin = `http://127.0.0.1:${port}`;
  return {
    folder,
    port,
    inspectorPort,
    get servers() {
      return servers;
    },
    origin,
    baseUrl: `${origin}/api-v2`,
    /** Starts the Workers. `geo`: its databases, where it is not to know all. `keys`: keys that are not those of before. */
    start: (
      environment: Record<string, string> = {},
      { geo = servers.geo, keys = {}, ...surroundings }: Changes = {},
    ) =>
      startWorkers(
        ...([address, { ...servers, geo }, { ...secrets, ...keys }, folder] as const),
        { ...ENVIRONMENT, PUBLIC_URL: origin, ...environment },
        surroundings,
      ),
    /** Gives geo `count` databases from the next start on, with all data of those that it has. */
    async grow(count: number) {
      await databases.stop();
      databases = await startDatabases(databaseFolder, { GEO_DATABASES: String(count) });
      servers = await migrateAll(databases.servers);
    },
    async remove() {
      await databases.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
