import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type InStatement } from "@libsql/client/http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { freePorts } from "../system/free-ports.ts";
import { newSecrets } from "../system/secrets.ts";
import { type DatabaseServer, type Databases, startDatabases } from "../system/sqld.ts";
import { WORKERS } from "../workers.ts";
import { markDatabases, requireSound, withoutNewKeys } from "./identity.ts";
import { inspectDatabases } from "./inspect.ts";

let folder: string;
let databases: Databases;
let gateway: DatabaseServer;
let fleet: DatabaseServer;

/** Two servers are enough: each test says whose database each of them is. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fleet-identity-"));
  const others = WORKERS.filter((worker) => worker !== "gateway" && worker !== "fleet");
  databases = await startDatabases(
    folder,
    Object.fromEntries(others.map((one) => [`${one.toUpperCase()}_DB_URL`, "http://unused"])),
  );
  // Servers that the environment names are called by their variables in messages.
  gateway = { ...databases.servers.gateway, isOwn: false };
  fleet = { ...databases.servers.fleet, isOwn: false };
});

beforeEach(async () => {
  for (const server of [gateway, fleet]) {
    const tables = await execute(
      server,
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
    );
    for (const { name } of tables) await execute(server, `DROP TABLE "${name}"`);
  }
});

afterAll(async () => {
  await databases.stop();
  await rm(folder, { recursive: true });
});

async function execute({ url, token }: DatabaseServer, statement: InStatement) {
  const client = createClient({ url, authToken: token });
  const { rows } = await client.execute(statement).finally(() => client.close());
  return rows.map((row) => ({ ...row }));
}

/** Records migrations as applied, as the runner does. */
async function pretendMigrated(server: DatabaseServer, ...names: string[]) {
  await execute(server, "CREATE TABLE IF NOT EXISTS migration (name TEXT PRIMARY KEY, applied INTEGER NOT NULL)");
  for (const name of names) await execute(server, { sql: "INSERT INTO migration VALUES (?, 0)", args: [name] });
}

async function problemsOf(servers: Parameters<typeof inspectDatabases>[0], keys = {}) {
  return (await inspectDatabases(servers, keys)).problems;
}

test("markDatabases gives all databases one id, which later starts keep", async () => {
  const id = await markDatabases({ gateway, fleet });
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(await markDatabases({ gateway, fleet })).toBe(id);
  for (const server of [gateway, fleet]) expect(await execute(server, "SELECT id FROM installation")).toEqual([{ id }]);
  expect(await problemsOf({ gateway, fleet })).toEqual([]);
});

test("markDatabases of two starts at the same time agree on one id", async () => {
  const ids = await Promise.all([markDatabases({ gateway, fleet }), markDatabases({ gateway, fleet })]);
  expect(new Set(ids).size).toBe(1);
  expect(await execute(fleet, "SELECT id FROM installation")).toEqual([{ id: ids[0] }]);
});

test("markDatabases leaves the id open without gateway's database and fills it in with it", async () => {
  await markDatabases({ fleet });
  expect(await execute(fleet, "SELECT worker, id FROM installation")).toEqual([{ worker: "fleet", id: null }]);
  const id = await markDatabases({ gateway, fleet });
  expect(await execute(fleet, "SELECT worker, id FROM installation")).toEqual([{ worker: "fleet", id }]);
});

test("inspectDatabases refuses the database of another Worker by both names", async () => {
  await markDatabases({ fleet });
  expect(await problemsOf({ tasks: fleet })).toEqual([
    "TASKS_DB_URL has the data of fleet, not of tasks: give each Worker its own database.",
  ]);
});

test("inspectDatabases refuses a database of another installation, and one of an installation whose gateway is new", async () => {
  const id = await markDatabases({ gateway, fleet });
  await execute(fleet, "UPDATE installation SET id = 'other'");
  expect(await problemsOf({ gateway, fleet })).toEqual([
    `FLEET_DB_URL has data of another installation (other) than GATEWAY_DB_URL (${id}): use the databases of one installation.`,
  ]);
  await execute(gateway, "DROP TABLE installation");
  expect(await problemsOf({ gateway, fleet })).toEqual([
    "FLEET_DB_URL has data of another installation (other) than GATEWAY_DB_URL (new): use the databases of one installation.",
  ]);
});

test("inspectDatabases refuses a newer database, one of another chain, and one of another program", async () => {
  const { databases: found } = await inspectDatabases({ fleet });
  await pretendMigrated(fleet, ...(found[0]?.pending ?? []), "0999_future.sql");
  expect(await problemsOf({ fleet })).toEqual([
    "FLEET_DB_URL has data of a newer version than this code (its migration 0999_future.sql is not there): run that version, or a later one.",
  ]);
  await execute(fleet, "DELETE FROM migration WHERE name = '0000_tables.sql'");
  expect(await problemsOf({ fleet })).toEqual([expect.stringMatching(/^FLEET_DB_URL has data of another version/)]);
  await execute(gateway, "CREATE TABLE van (id INTEGER)");
  expect(await problemsOf({ gateway })).toEqual([
    "GATEWAY_DB_URL has tables of another program: take an empty database, or that of gateway.",
  ]);
});

test("inspectDatabases names the variable, the host and the reason of a database that cannot be used", async () => {
  const [port] = await freePorts(1);
  const away = { url: `http://127.0.0.1:${port}`, token: "", isOwn: false };
  const { databases: found } = await inspectDatabases({ fleet: away, gateway: { ...gateway, token: "made.up.token" } });
  expect(found.map(({ unreachable }) => unreachable)).toEqual([
    expect.stringMatching(
      /^GATEWAY_DB_URL: the database server 127\.0\.0\.1:\d+ refuses the token; set GATEWAY_DB_TOKEN/,
    ),
    `FLEET_DB_URL: the database server 127.0.0.1:${port} does not answer (ECONNREFUSED); check the address, and that the server runs.`,
  ]);
  await expect(requireSound({ fleet: away })).rejects.toThrow("FLEET_DB_URL");
});

test("inspectDatabases refuses a key that shares nothing with the earlier ones, until it is accepted by name", async () => {
  const keys = newSecrets();
  const [other, second] = [newSecrets(), newSecrets()];
  await markDatabases({ gateway }, keys);
  expect(await problemsOf({ gateway }, keys)).toEqual([]);
  expect(await problemsOf({ gateway }, { ...keys, CREDENTIAL_KEY: other.CREDENTIAL_KEY })).toEqual([
    "CREDENTIAL_KEY differs from the key that the data was written with: set the earlier one, or accept its loss with `-- --new-key CREDENTIAL_KEY`.",
  ]);
  const accepted = withoutNewKeys({ CREDENTIAL_KEY: other.CREDENTIAL_KEY }, ["--new-key", "CREDENTIAL_KEY"]);
  expect(await problemsOf({ gateway }, accepted)).toEqual([]);

  expect(withoutNewKeys({ TOKEN_KEY: "a" }, ["--new-key=TOKEN_KEY"])).toEqual({});
  expect(() => withoutNewKeys({}, ["--new-key", "METRICS_KEY"])).toThrow("--new-key METRICS_KEY: there is no such key");

  // A list is changed key by key: a new one in front, later the old one goes.
  const both = { ...keys, TOKEN_KEY: `${other.TOKEN_KEY},${keys.TOKEN_KEY}` };
  expect(await problemsOf({ gateway }, both)).toEqual([]);
  await markDatabases({ gateway }, both);
  await markDatabases({ gateway }, { TOKEN_KEY: other.TOKEN_KEY });
  expect(await problemsOf({ gateway }, { TOKEN_KEY: keys.TOKEN_KEY })).toHaveLength(1);
  expect(await problemsOf({ gateway }, { TOKEN_KEY: second.TOKEN_KEY })).toHaveLength(1);
});

test("markDatabases stores nothing from which a key can be read", async () => {
  const keys = newSecrets();
  await markDatabases({ gateway }, keys);
  const stored = JSON.stringify(await execute(gateway, "SELECT * FROM key_fingerprint"));
  for (const value of Object.values(keys)) expect(stored).not.toContain(value.slice(0, 12));
});
