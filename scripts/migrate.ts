// npm run migrate: brings the databases named by GATEWAY_DB_URL, FLEET_DB_URL, … up to date.
import { markDatabases, requireSound, withoutNewKeys } from "./database/identity.ts";
import type { DatabaseServers } from "./database/inspect.ts";
import { leastPopulation, loadGazetteer } from "./system/gazetteer.ts";
import { KEY_NAMES } from "./system/secrets.ts";
import { givenServer, variableOf } from "./system/sqld.ts";
import { migrateDatabases } from "./tracker-databases.ts";
import { WORKERS } from "./workers.ts";

const selected = WORKERS.filter((worker) => process.env[variableOf(worker)]);
if (selected.length === 0) {
  console.error(
    "Name a database: GATEWAY_DB_URL, FLEET_DB_URL, …, and its GATEWAY_DB_TOKEN, … (`npm start` migrates its own).",
  );
  process.exit(1);
}
const servers: DatabaseServers = Object.fromEntries(selected.map((worker) => [worker, givenServer(worker)]));
/** The keys that the environment names: none has to be named to migrate. */
const keys = Object.fromEntries(KEY_NAMES.map((name) => [name, process.env[name]]).filter(([, value]) => value));

try {
  await requireSound(servers, withoutNewKeys(keys, process.argv));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
for (const worker of selected) {
  try {
    const server = servers[worker];
    if (!server) continue;
    const { applied } = await migrateDatabases(worker, server);
    if (worker === "geo") await loadGazetteer(server, leastPopulation());
    console.log(`${worker}: ${applied.join(", ") || "up to date"}`);
  } catch (error) {
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    console.error(`${worker}: ${message}${cause instanceof Error ? ` (${cause.message})` : ""}`);
    process.exitCode = 1;
  }
}
if (!process.exitCode) await markDatabases(servers, keys);
