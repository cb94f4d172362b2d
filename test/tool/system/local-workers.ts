import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleChanged } from "../../../scripts/bundle.ts";
import { startWorkers } from "../../../scripts/miniflare.ts";
import { insertFirstOperator } from "../../../scripts/operator.ts";
import { newSecrets } from "../../../scripts/secrets.ts";
import { freePorts, startDatabases } from "../../../scripts/sqld.ts";
import { migrateAll } from "../../../scripts/tracker-databases.ts";
import { OPERATOR } from "./system.ts";

const ENVIRONMENT = { PASSWORD_COST: "16", LOCAL_RUN: "1", RATE_LIMIT_PER_SECOND: "100000" };

export type LocalGround = Awaited<ReturnType<typeof newLocalGround>>;

/** Databases, a folder and ports for Workers that run as `npm start` runs them, and may be killed, stopped and started again. */
export async function newLocalGround() {
  process.env.RATE_LIMIT_PER_ADDRESS = "1000000";
  const folder = await mkdtemp(join(tmpdir(), "fleet-local-"));
  const startServers = (count = 1) => startDatabases(join(folder, "databases"), { GEO_DATABASES: String(count) });
  let [databases] = await Promise.all([startServers(), bundleChanged()]);
  let servers = await migrateAll(databases.servers);
  await insertFirstOperator(servers.gateway, OPERATOR, ENVIRONMENT);
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
    /** `geo`: the databases that geo is told of, where it is not all. */
    start: (environment: Record<string, string> = {}, geo = servers.geo) =>
      startWorkers(address, { ...servers, geo }, secrets, folder, {
        ...ENVIRONMENT,
        PUBLIC_URL: origin,
        ...environment,
      }),
    /** From the next start on geo has so many databases, and what they had. */
    async grow(count: number) {
      await databases.stop();
      databases = await startServers(count);
      servers = await migrateAll(databases.servers);
    },
    async remove() {
      await databases.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
