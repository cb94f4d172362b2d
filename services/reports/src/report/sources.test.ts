import { expect, test } from "vitest";
import type { Section, Source } from "../layout/sheet.ts";
import { sourceOf } from "../layout/source.ts";
import { parseSources, SourcePage } from "./sources.ts";

const cell = { v: "1", raw: 1, type: "value" } as const;
const source = (id: number): Source => sourceOf({ from: id, record_ids: [id] });
const table: Section = {
  type: "table",
  header: "Trips",
  column_groups: [],
  columns: [],
  data: [{ header: "Day", rows: [{ a: cell }, { a: cell }] }],
};

test("a report from before totals had sources still shows the sources of its rows", () => {
  const rows = [source(1), source(2)];
  for (const kept of [[[rows]], [[{ rows }]]]) {
    const [sources = []] = parseSources(kept);
    expect(new SourcePage(0, 10).addSources(table, sources)).toMatchObject({ data: [{ sources: rows }] });
    expect(new SourcePage(1, 1).addSources(table, sources)).toMatchObject({ data: [{ sources: [source(2)] }] });
  }
});
