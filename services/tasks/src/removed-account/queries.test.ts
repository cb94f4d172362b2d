import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client/node";
import { asc } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { folderOf } from "../../../../scripts/workers.ts";
import type { Database } from "../../../../shared/database/open.ts";
import { task } from "../table/task.ts";
import { removeAccounts } from "./queries.ts";

let folder: string;
let db: Database;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fleet-removed-"));
  db = drizzle({ client: createClient({ url: `file:${join(folder, "tasks.db")}` }) });
  const migrations = join(folderOf("tasks"), "migrations");
  for (const file of (await readdir(migrations)).filter((name) => name.endsWith(".sql")).toSorted()) {
    const statements = (await readFile(join(migrations, file), "utf8")).split("--> statement-breakpoint");
    for (const statement of statements) await db.run(statement);
  }
});

afterAll(async () => {
  db.$client.close();
  await rm(folder, { recursive: true });
});

test("removeAccounts removes the accounts' rows in bounded parts, and nothing else", async () => {
  await db.insert(task).values([1, 2, 1, 3, 2, 1, 1, 1].map(rowOf));
  const batch = vi.spyOn(db, "batch");
  await removeAccounts(db, [1, 2], 3);
  expect(batch).toHaveBeenCalledTimes(3);
  const rows = await db.select({ account_id: task.account_id }).from(task).orderBy(asc(task.id));
  expect(rows).toEqual([{ account_id: 3 }]);
});

function rowOf(account_id: number) {
  const texts = { label: "Parcel", label_folded: "parcel", description: "", description_folded: "" };
  const moments = { from: 1, to: 2, status_change_date: 1, creation_date: 1 };
  return {
    account_id,
    type: "task" as const,
    status: "unassigned" as const,
    origin: "manual" as const,
    ...texts,
    ...moments,
  };
}
