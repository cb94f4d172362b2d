import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyMigrations } from "./apply-migrations.ts";
import { type Databases, startDatabases } from "./system/sqld.ts";

let folder: string;
let databases: Databases;

beforeAll(async () => {
  // One for each test: a database has one chain of migrations.
  folder = await mkdtemp(join(tmpdir(), "fleet-migrations-"));
  const others = ["FLEET", "TASKS", "GEO"].map((name) => [`${name}_DB_URL`, "http://unused"]);
  databases = await startDatabases(folder, Object.fromEntries(others));
});

afterAll(async () => {
  await databases.stop();
  await rm(folder, { recursive: true });
});

test("applyMigrations applies each migration once, in the order of their names, wholly or not at all", async () => {
  const server = databases.servers.gateway;
  const migrations = join(folder, "migrations");
  await mkdir(migrations);
  await writeFile(
    join(migrations, "0001_rename.sql"),
    "ALTER TABLE `van` RENAME TO `car`;\n--> statement-breakpoint\n-- The column of before goes in 0002.\n",
  );
  await writeFile(join(migrations, "0000_first.sql"), "CREATE TABLE `van` (`id` integer);");
  expect(await applyMigrations(migrations, server)).toEqual(["0000_first.sql", "0001_rename.sql"]);
  expect(await applyMigrations(migrations, server)).toEqual([]);

  const broken = join(migrations, "0002_broken.sql");
  await writeFile(
    broken,
    "CREATE TABLE `bus` (`id` integer);\n--> statement-breakpoint\nINSERT INTO `nowhere` VALUES (1);",
  );
  await expect(applyMigrations(migrations, server)).rejects.toThrow("0002_broken.sql");
  await writeFile(broken, "CREATE TABLE `bus` (`id` integer);");
  expect(await applyMigrations(migrations, server)).toEqual(["0002_broken.sql"]);
});

test("applyMigrations refuses a database of another chain by its name, says what to do, and leaves it as it was", async () => {
  const server = databases.servers.reports;
  const [earlier, present] = [join(folder, "earlier"), join(folder, "present")];
  await Promise.all([mkdir(earlier), mkdir(present)]);
  await writeFile(join(earlier, "0000_vans.sql"), "CREATE TABLE `van` (`id` integer);");
  await writeFile(join(present, "0000_tables.sql"), "CREATE TABLE `car` (`id` integer);");
  await applyMigrations(earlier, server);
  await expect(applyMigrations(present, server)).rejects.toThrow(/another version.*0000_vans\.sql.*empty database/);
  const { rows } = await createClient({ url: server.url, authToken: server.token }).execute(
    "SELECT name FROM sqlite_master WHERE type = 'table'",
  );
  expect(rows.map(({ name }) => name)).not.toContain("car");
});

test("applyMigrations rebuilds a table without losing the rows that refer to it", async () => {
  const server = databases.servers.files;
  const migrations = join(folder, "rebuild");
  await mkdir(migrations);
  await writeFile(
    join(migrations, "0100_owned.sql"),
    [
      "CREATE TABLE `owner` (`id` integer PRIMARY KEY)",
      "CREATE TABLE `pet` (`owner_id` integer REFERENCES `owner`(`id`) ON DELETE CASCADE)",
      "INSERT INTO `owner` VALUES (1)",
      "INSERT INTO `pet` VALUES (1)",
    ].join(";\n--> statement-breakpoint\n"),
  );
  await writeFile(
    join(migrations, "0101_rebuilt.sql"),
    [
      "PRAGMA foreign_keys=OFF",
      "CREATE TABLE `__new_owner` (`id` integer PRIMARY KEY, `name` text)",
      "INSERT INTO `__new_owner`(`id`) SELECT `id` FROM `owner`",
      "DROP TABLE `owner`",
      "ALTER TABLE `__new_owner` RENAME TO `owner`",
      "PRAGMA foreign_keys=ON",
    ].join(";--> statement-breakpoint\n"),
  );
  await applyMigrations(migrations, server);
  const { rows } = await createClient({ url: server.url, authToken: server.token }).execute("SELECT owner_id FROM pet");
  expect(rows).toHaveLength(1);
});
