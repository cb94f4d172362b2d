import { expect, test } from "vitest";
import * as z from "zod";
import { clockOf } from "../time/clock.ts";
import { changesOf, mergeChanges } from "./changes.ts";
import { notNull } from "./fields.ts";
import { readerOf } from "./parameters.ts";

const Thing = z.object({
  label: z.string().min(1),
  note: z.string().default(""),
  phone: notNull(z.string().default("")),
  weight: z.number().nullable().default(null),
  size: z.enum(["small", "large"]).default("small"),
  tags: z.array(z.int()).default([]),
});
const stored = Thing.parse({ label: "A", note: "B", phone: "1", weight: 5, size: "large", tags: [1] });
const Changes = changesOf(Thing);

/** Reads changes as a call does. */
function read(given: object) {
  const offences: { parameter: string; error: string }[] = [];
  const value = readerOf(Changes)(given, "", false, { clock: clockOf({}, "UTC", false), offences });
  expect(offences).toEqual([]);
  return Changes.safeParse(value);
}

test("mergeChanges leaves members that are not given, and changes those that are", () => {
  expect(mergeChanges(Thing, stored, read({}).data ?? {}, "thing")).toEqual(stored);
  const { data = {} } = read({ weight: "7", size: "small" });
  expect(mergeChanges(Thing, stored, data, "thing")).toEqual({ ...stored, weight: 7, size: "small" });
});

test("mergeChanges gives a member that is null the value that create gives without it", () => {
  const { data = {} } = read({ note: null, weight: null, size: null, tags: null });
  const plain = Thing.parse({ label: "A" });
  expect(mergeChanges(Thing, stored, data, "thing")).toEqual({ ...plain, phone: "1" });
});

test.each(["label", "phone"])("an update refuses null for %s, which create needs or which must not be null", (name) => {
  expect(read({ [name]: null }).success).toBe(false);
  expect(read({ [name]: undefined }).success).toBe(true);
});

test("mergeChanges refuses members that do not fit together by name", () => {
  const Fitting = Thing.refine(({ size, weight }) => size === "large" || Number(weight) < 6, {
    error: "is too much",
    path: ["weight"],
  });
  const refused = { code: 7, extra: { errors: [{ parameter: "thing.weight", error: "is too much" }] } };
  expect(() => mergeChanges(Fitting, stored, { size: "small", weight: 9 }, "thing")).toThrow(
    expect.objectContaining(refused),
  );
});
