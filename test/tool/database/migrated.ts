import { createHash, randomUUID } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { loadGazetteer } from "../../../scripts/system/gazetteer.ts";
import { insertFirstOperator } from "../../../scripts/system/operator.ts";
import { type Databases, startDatabases } from "../../../scripts/system/sqld.ts";
import { migrateAll } from "../../../scripts/tracker-databases.ts";
import { migrationsOf, ROOT, WORKERS } from "../../../scripts/workers.ts";
import { newDataFolder } from "../system/data-folder.ts";
import { CHEAP_PASSWORDS, OPERATOR } from "../system/operator.ts";
import { addNextRelease } from "./next-release.ts";

/** The gazetteer of tests has only larger cities: loading the small ones takes half a minute. */
const LEAST_POPULATION = 100_000;

/**
 * Starts a database server for each Worker, with all migrations, the first operator, the large cities, and what the next
 * release adds; geo has `geoDatabases` of them. The databases are copies of some that were made once and are kept in
 * `.build`.
 */
export async function startMigratedDatabases(folder: string, geoDatabases = 1): Promise<Databases> {
  await cp(await templateOf(geoDatabases), folder, { recursive: true, mode: constants.COPYFILE_FICLONE });
  const databases = await startDatabases(folder, { GEO_DATABASES: String(geoDatabases) });
  return { ...databases, servers: await migrateAll(databases.servers) };
}

/** The folder of stopped database servers, one for each Worker, that is copied for each system. Makes a missing one. */
export async function templateOf(geoDatabases: number): Promise<string> {
  const template = join(ROOT, ".build", "databases", `${geoDatabases}-${await fingerprint()}`);
  if (!existsSync(template)) await makeTemplate(template, geoDatabases);
  return template;
}

async function makeTemplate(template: string, geoDatabases: number) {
  const folder = await newDataFolder("template");
  const databases = await startDatabases(folder, { GEO_DATABASES: String(geoDatabases) });
  const servers = await migrateAll(databases.servers);
  await Promise.all([
    loadGazetteer(servers.geo, LEAST_POPULATION),
    insertFirstOperator(servers.gateway, OPERATOR, CHEAP_PASSWORDS),
  ]);
  const all = Object.values(servers).flatMap(({ further = [], ...first }) => [first, ...further]);
  await Promise.all(all.map(addNextRelease));
  await databases.stop();
  await removeOutdated(template, geoDatabases);
  // Under a name of its own first: an interrupted copy, or two at once, must not be taken for a template.
  const fresh = `${template}.${randomUUID()}`;
  await cp(folder, fresh, { recursive: true });
  await rename(fresh, template).catch(async (error) => {
    // Another run that made the same template was ready first.
    if (!existsSync(template)) throw error;
    await rm(fresh, { recursive: true });
  });
  await rm(folder, { recursive: true });
}

/** Removes templates that were made of earlier migrations. */
async function removeOutdated(template: string, geoDatabases: number) {
  const folder = dirname(template);
  await mkdir(folder, { recursive: true });
  const names = (await readdir(folder)).filter((name) => new RegExp(`^${geoDatabases}-[0-9a-f]+$`).test(name));
  const outdated = names.filter((name) => name !== basename(template));
  await Promise.all(outdated.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

/** Files that decide what is in the template, besides the migrations. */
const MAKERS = [
  "scripts/system/gazetteer.ts",
  "scripts/system/operator.ts",
  "test/tool/database/next-release.ts",
  "package-lock.json",
];

/** A hash of all that decides what is in the template. */
async function fingerprint(): Promise<string> {
  const hash = createHash("sha256");
  for (const worker of WORKERS) {
    const folder = migrationsOf(worker);
    for (const name of (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort()) {
      hash.update(`${worker} ${name}\n`).update(await readFile(join(folder, name)));
    }
  }
  for (const file of MAKERS) {
    hash.update(await readFile(join(ROOT, file)));
  }
  return hash.digest("hex").slice(0, 16);
}
