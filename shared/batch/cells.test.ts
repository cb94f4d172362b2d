import { expect, test } from "vitest";
import { distinctCells, rowsOf } from "./cells.ts";

test("rowsOf splits at any line end, skips blank lines, trims cells and names them by their position", () => {
  const fields = ["label", "undefined", "tags"];
  const { rows } = rowsOf(" a \tskip\tx\tsurplus\r\n \t \n\rb\n\t\ty", fields, 10);
  expect(rows).toEqual([{ label: "a", tags: "x" }, { label: "b" }, { tags: "y" }]);
  expect(distinctCells([...rows, { tags: "x" }], "tags")).toEqual(["x", "y"]);
});

test("rowsOf counts filled lines alone towards its limit, and is exceeded by one more", () => {
  expect(rowsOf("a\n\nb\n\n", ["label"], 2)).toEqual({ rows: [{ label: "a" }, { label: "b" }], limit_exceeded: false });
  expect(rowsOf("a\n\nb\n\nc", ["label"], 2)).toMatchObject({ limit_exceeded: true, rows: { length: 2 } });
});
