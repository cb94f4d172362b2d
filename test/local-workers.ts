import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyMigrations } from "../scripts/apply-migrations.ts";
import { bundleChanged } from "../scripts/bundle.ts";
import { startWorkers } from "../scripts/miniflare.ts";
import { insertFirstOperator } from "../scripts/operator.ts";
import { newSecrets } from "../scripts/secrets.ts";
import { freePorts, startDatabases } from "../scripts/sqld.ts";
import { forEachWorker, migrationsOf } from "../scripts/workers.ts";
import { OPERATOR } from "./system.ts";

const ENVIRONMENT = { PASSWORD_COST: "16", LOCAL_RUN: "1", RATE_LIMIT_PER_SECOND: "100000" };

export type LocalGround = Awaited<ReturnType<typeof newLocalGround>>;

/** Databases, a folder and ports for Workers that run as `npm start` runs them, and may be killed, stopped and started again. */
export async function newLocalGround() {
  process.env.RATE_LIMIT_PER_ADDRESS = "1000000";
  const folder = await mkdtemp(join(tmpdir(), "fleet-local-"));
  const [databases] = await Promise.all([startDatabases(join(folder, "databases"), {}), bundleChanged()]);
  const { servers } = databases;
  await forEachWorker((worker) => applyMigrations(migrationsOf(worker), servers[worker]));
  await insertFirstOperator(servers.gateway, OPERATOR, ENVIRONMENT);
  const [port = 0, inspectorPort = 0] = await freePorts(2);
  const secrets = newSecrets();
  const address = { host: "127.0.0.1", port, inspectorPort };
  const origin = `http://127.0.0.1:${port}`;
  return {
    folder,
    port,
    inspectorPort,
    servers,
    origin,
    baseUrl: `${origin}/api-v2`,
    start: (environment: Record<string, string> = {}) =>
      startWorkers(address, servers, secrets, folder, { ...ENVIRONMENT, PUBLIC_URL: origin, ...environment }),
    async remove() {
      await databases.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
