import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { selectObjects } from "#shared/database/rows.ts";
import { foldText } from "#shared/text/fold.ts";
import { openDatabaseFile } from "#test/tool/database/file.ts";
import { nobody } from "../../../../shared/caller/principal.ts";
import { task } from "../table/task/task.ts";
import { narrowByTexts } from "./text-queries.ts";

const principal = { ...nobody("none"), account_id: 1 };
const db = await openDatabaseFile("tasks");

const contains = (field: string, value: unknown) => ({ type: "contains", field, value });
async function search(conditions: unknown[], words: string[] | null = null) {
  const rows = await db
    .select({ label: task.label })
    .from(task)
    .where(narrowByTexts(principal, conditions, words));
  return rows.map(({ label }) => label).toSorted();
}
async function store(label: string, { account_id = 1, description = "", type = "task" as "task" | "checkpoint" } = {}) {
  const moments = { from: 1, to: 2, status_change_date: 1, creation_date: 1 };
  const state = { type, status: "unassigned" as const, origin: "manual" as const };
  const texts = { label, label_folded: foldText(label), description, description_folded: foldText(description) };
  await db.insert(task).values({ account_id, ...state, ...texts, ...moments });
}

test("the text index finds the present texts of a task, in its account alone", async () => {
  await store("Früh 77");
  await store('Say "now"', { description: "at the door" });
  await store("Früh too", { account_id: 2 });
  await store("Früh stop", { type: "checkpoint" });
  expect(await search([contains("label", "FRUH")])).toEqual(["Früh 77"]);
  expect(await search([contains("label", 'y "no')])).toEqual(['Say "now"']);
  expect(await search([contains("label", "say"), contains("description", "door")])).toEqual(['Say "now"']);
  expect(await search([contains("label", "door")])).toEqual([]);
  expect(await search([], ["door", "say"])).toEqual(['Say "now"']);

  await db.update(task).set({ type: "task" }).where(sql`label = 'Früh stop'`);
  await db.update(task).set({ label: "Late", label_folded: "late" }).where(sql`label = 'Früh 77'`);
  expect(await search([contains("label", "fruh")])).toEqual(["Früh stop"]);
  await db.delete(task).where(sql`label = 'Früh stop'`);
  expect(await search([contains("label", "fruh")])).toEqual([]);
});

test("narrowByTexts leaves conditions that the text index cannot answer to the others", () => {
  const others = [
    contains("label", "ab"),
    contains("employee", "anna"),
    { type: "not", condition: contains("label", "abc") },
  ];
  expect(narrowByTexts(principal, [...others, contains("label", 12), null, "x"], ["ab"])).toBeUndefined();
});

test("narrowByTexts reads only the tasks that the text index names", async () => {
  const condition = narrowByTexts(principal, [contains("label", "parcel")], null);
  const plan = await selectObjects<{ detail: string }>(
    db,
    sql`EXPLAIN QUERY PLAN SELECT id FROM ${task} WHERE ${task.account_id} = 1 AND ${task.type} = 'task' AND ${condition}`,
  );
  expect(plan.map(({ detail }) => detail).filter((step) => step.startsWith("SEARCH task "))).toEqual([
    expect.stringContaining("rowid=?"),
  ]);
});
