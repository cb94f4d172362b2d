import { afterAll, beforeAll, expect, test } from "vitest";
import { WORKERS, type WorkerName } from "../../scripts/workers.ts";
import { type Accounts, accountsOn, bodyOf } from "../tool/call/account.ts";
import { effort } from "../tool/effort.ts";
import { SAMPLES } from "../tool/sample/index.ts";
import type { Sample } from "../tool/sample/sample.ts";
import { newWorld } from "../tool/sample/world.ts";
import { startOwnSystem } from "../tool/system/system.ts";

let system: Awaited<ReturnType<typeof startOwnSystem>>;
let accounts: Accounts;

beforeAll(async () => {
  // The tables are changed.
  system = await startOwnSystem();
  accounts = accountsOn(system);
});

afterAll(() => system?.stop());

test("operations and sweeps work when the databases have columns and tables of the next release", async () => {
  const fleet = await newWorld(accounts);
  const grown = await Promise.all(WORKERS.map(growTables));
  expect(grown.flat().length).toBeGreaterThan(90);
  const failures: string[] = [];
  for (const [path, samples] of Object.entries(SAMPLES))
    for (const sample of samples.slice(0, effort({ few: 1, many: samples.length }))) {
      const answer = await fetch(system.baseUrl + path, {
        method: "POST",
        ...bodyOf(await parametersOf(sample, fleet)),
      });
      const text = await answer.text();
      if (!answer.ok || text.includes("of_next_release")) failures.push(`${path}: ${text.slice(0, 200)}`);
    }
  for (const worker of WORKERS) await system.fireCron(worker);
  expect(failures).toEqual([]);
});

/** Adds a column to each table of a Worker's database, and a table; answers the names of the tables that grew. */
async function growTables(worker: WorkerName): Promise<string[]> {
  const tables = (await system.rowsOf(worker, "sqlite_master")).flatMap(({ type, name, sql }) =>
    // Text indexes and the tables inside of them cannot be altered.
    type === "table" &&
    /^CREATE TABLE/.test(String(sql)) &&
    !/^sqlite_|_(data|idx|docsize|config|content)$/.test(String(name))
      ? String(name)
      : [],
  );
  for (const table of tables) await system.change(worker, `ALTER TABLE "${table}" ADD COLUMN of_next_release TEXT`);
  await system.change(worker, "CREATE TABLE of_next_release (id INTEGER PRIMARY KEY)");
  return tables;
}

async function parametersOf(sample: Sample, { account, world }: Awaited<ReturnType<typeof newWorld>>) {
  const hashes = { nobody: undefined, operator: await accounts.operatorHash(), master: account.hash };
  const usedUp = await sample.before?.(account, accounts);
  return { hash: hashes[sample.as ?? "master"], ...sample.parameters(world, account), ...usedUp };
}
