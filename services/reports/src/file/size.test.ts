import { expect, test } from "vitest";
import type { Sheet } from "../layout/sheet.ts";
import { SizeGuard } from "./size.ts";

function sheetOf(rows: number): Sheet {
  const cell = { v: "four", raw: 0, type: "value" as const };
  const column = { field: "a", title: "A", align: "left" as const, width: 1, weight: 0, highlight_min_max: false };
  const data = [{ header: "Day", rows: Array.from({ length: rows }, () => ({ a: cell })) }];
  const table = { type: "table" as const, header: "", column_groups: [] as [], columns: [column], data };
  const list = { type: "map_table" as const, header: "", rows: [{ name: "N", v: "1", raw: 1, highlight: false }] };
  const note = { type: "text" as const, text: "note", style: "small_print" as const };
  return { header: "Van", entity_ids: [], additional_field: "", sections: [table, list, note] };
}

function refusal(limits: object, ...sheets: number[]) {
  const guard = new SizeGuard(JSON.stringify({ pdf: limits }), "pdf");
  try {
    for (const rows of sheets) guard.add(sheetOf(rows));
    return null;
  } catch (thrown) {
    return thrown;
  }
}

test("a file takes 20,000 rows of all sheets together, and one more is refused with the limit (267)", () => {
  const limits = { cells: 1_000_000, characters: 10_000_000 };
  expect(refusal(limits, 10_000, 10_000)).toBeNull();
  const error = "takes at most 20000 rows; ask for fewer things or a shorter range";
  expect(refusal(limits, 10_000, 10_001)).toMatchObject({
    code: 267,
    extra: { errors: [{ parameter: "format", error }] },
  });
});

test("the size limit counts each cell, title, name and text, and each of its characters", () => {
  expect(refusal({ cells: 7, characters: 18 }, 2)).toBeNull();
  expect(refusal({ cells: 6, characters: 18 }, 2)).toMatchObject({ code: 267 });
  expect(refusal({ cells: 7, characters: 17 }, 2)).toMatchObject({ code: 267 });
});
