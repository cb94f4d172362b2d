import { expect, test } from "vitest";
import * as z from "zod";
import type { Offence } from "#shared/error/api-error.ts";
import { checkCells } from "./cells.ts";
import { checkerOf } from "./checker.ts";

const Row = z
  .object({
    label: z.string().min(1).max(5),
    weight: z.number().min(0).nullable().default(null),
    is_open: z.boolean().default(false),
    place: z.object({ lat: z.number().max(90), address: z.string().default("") }).optional(),
    tags: z.array(z.int()).default([]),
    note: z.string().optional(),
    phone: z.string().regex(/^\d*$/).max(4).optional(),
    speed: z.number().gt(0).lt(10).max(9).optional(),
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
  speed: ["5", "0", "9.5", undefined],
};

test("checkerOf checks rows exactly as the schema does, whatever is in their cells and in those of rows before", () => {
  const check = checkerOf(Row);
  let rows: Record<string, unknown>[] = [{}];
  for (const [name, values] of Object.entries(VALUES)) {
    rows = rows.flatMap((row) => values.map((value) => (value === undefined ? row : { ...row, [name]: value })));
  }
  let right = 0;
  for (const row of [...rows, { label: "a", surplus: "s" }, { label: "a", note: undefined }]) {
    const [errors, expected]: Offence[][] = [[], []];
    const checked = check(row, errors ?? []);
    expect(checked).toEqual(checkCells(Row, row, expected ?? []));
    expect(errors).toEqual(expected);
    if (checked) right++;
  }
  expect(right).toBeGreaterThan(50);
});

test.each(["49", "4x", "12345", ""])(
  "checkerOf checks a text's form and length exactly as the schema does: %j",
  (phone) => {
    const [errors, expected]: Offence[][] = [[], []];
    const checked = checkerOf(Row)({ label: "a", phone }, errors ?? []);
    expect(checked).toEqual(checkCells(Row, { label: "a", phone }, expected ?? []));
    expect(errors).toEqual(expected);
  },
);

test.each(["3", "-3", "1.5", "1e400", "x", 2.5])(
  "checkerOf checks numbers, whole or not, exactly as the schema does: %j",
  (count) => {
    const Counted = z.object({ count: z.int(), total: z.number().optional() });
    const [errors, expected]: Offence[][] = [[], []];
    const row = { count, total: count };
    expect(checkerOf(Counted)(row, errors ?? [])).toEqual(checkCells(Counted, row, expected ?? []));
    expect(errors).toEqual(expected);
  },
);

test("checkerOf prefers a value that is made of several cells over the cells, and checks it as well", () => {
  const check = checkerOf(Row);
  for (const [made, isRight] of [
    [{ label: "b", place: { lat: 1 } }, true],
    [{ place: { lat: 91 } }, false],
  ] as const) {
    const [errors, expected]: Offence[][] = [[], []];
    const checked = check({ label: "a", weight: "2" }, errors ?? [], made);
    expect(checked).toEqual(checkCells(Row, { label: "a", weight: "2", ...made }, expected ?? []));
    expect([checked !== undefined, errors]).toEqual([isRight, expected]);
  }
});

test("checkerOf gives each row a list of its own", () => {
  const check = checkerOf(Row);
  const [one, other] = [check({ label: "a" }, []), check({ label: "a" }, [])];
  one?.tags.push(1);
  expect(other?.tags).toEqual([]);
});
