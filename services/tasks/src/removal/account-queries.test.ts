import { asc } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { openDatabaseFile } from "#test/tool/database/file.ts";
import { task } from "../table/task/task.ts";
import { removeAccounts } from "./account-queries.ts";

const db = await openDatabaseFile("tasks");

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
