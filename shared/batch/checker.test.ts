import { expect, test } from "vitest";
import { z } from "zod";
import type { Offence } from "#shared/error/api-error.ts";
import { checkedOf } from "./cells.ts";
import { checkerOf } from "./checker.ts";

const Row = z
  .object({
    label: z.string().min(1).max(5),
    weight: z.number().min(0).nullable().default(null),
    is_open: z.boolean().default(false),
    place: z.object({ lat: z.number().max(90), address: z.string().default("") }).optional(),
    tags: z.array(z.int()).default([]),
    note: z.string().optional(),
  })
  .superRefine(({ weight, is_open }, context) => {
    if (is_open && weight === 7) context.addIssue({ code: "custom", path: ["weight"], message: "must not be 7" });
  });

const VALUES: Record<string, unknown[]> = {
  label: ["a", "abc", "", "too long", undefined, "\0"],
  weight: ["7", "1.5", "-1", "heavy", "null", undefined],
  is_open: ["true", "false", "maybe", undefined],
  place: [{ lat: "50" }, { lat: "91" }, { lat: 1, address: "Main St" }, {}, undefined],
  tags: [[1, 2], ["x"], undefined],
  note: ["n", undefined],
};

test("rows are checked as the schema checks them, whatever is in their cells and was in those before", () => {
  const check = checkerOf(Row);
  let rows: Record<string, unknown>[] = [{}];
  for (const [name, values] of Object.entries(VALUES)) {
    rows = rows.flatMap((row) => values.map((value) => (value === undefined ? row : { ...row, [name]: value })));
  }
  let right = 0;
  for (const row of [...rows, { label: "a", surplus: "s" }, { label: "a", note: undefined }]) {
    const [errors, expected]: Offence[][] = [[], []];
    const checked = check(row, errors ?? []);
    expect(checked).toEqual(checkedOf(Row, row, expected ?? []));
    expect(errors).toEqual(expected);
    if (checked) right++;
  }
  expect(right).toBeGreaterThan(50);
});

test("no two rows share a list", () => {
  const check = checkerOf(Row);
  const [one, other] = [check({ label: "a" }, []), check({ label: "a" }, [])];
  one?.tags.push(1);
  expect(other?.tags).toEqual([]);
});
