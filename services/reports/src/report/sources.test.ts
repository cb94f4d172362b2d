import { expect, test } from "vitest";
import type { Section, Source } from "../layout/sheet.ts";
import { sourceOf } from "../layout/source.ts";
import { SourcePage } from "./sources.ts";

const cell = { v: "1", raw: 1, type: "value" } as const;
const source = (id: number): Source => sourceOf({ from: id, record_ids: [id] });
const table: Section = {
  type: "table",
  header: "Trips",
  column_groups: [],
  columns: [],
  data: [{ header: "Day", rows: [{ a: cell }, { a: cell }] }],
};

test("SourcePage shows the sources of the rows that are on the page", () => {
  const stored = [{ rows: [source(1), source(2)] }];
  expect(new SourcePage(0, 10).addSources(table, stored)).toMatchObject({ data: [{ sources: stored[0]?.rows }] });
  expect(new SourcePage(1, 1).addSources(table, stored)).toMatchObject({ data: [{ sources: [source(2)] }] });
});
