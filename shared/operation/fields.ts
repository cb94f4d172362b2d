import * as z from "zod";
import type { FilePart } from "./declaration.ts";

/** A time: the contract's format outside, UTC milliseconds inside. */
export function dateTime() {
  return z.int().meta({ wire: "date-time" });
}

/** A date `yyyy-MM-dd`, kept as text. */
export function plainDate() {
  return z.string().refine(isDay, { error: "must be a date yyyy-MM-dd" }).meta({ format: "date" });
}

/** Six hexadecimal digits without `#`. */
export function color() {
  return z.string().regex(/^[0-9A-Fa-f]{6}$/, { error: "must be six hexadecimal digits" });
}

/** Text of `min` to `max` printable characters, spaces included. */
export function printableText(min: number, max: number) {
  return printValue(z.string(), min, max);
}

/** Like `printableText`, trimmed. */
export function trimmedText(min: number, max: number) {
  return printValue(z.string().trim(), min, max);
}

/** Text of any characters, at most `max`. */
export function text(max: number) {
  return (
    z
      .string()
      // Characters are at most as many as UTF-16 units: most texts need no counting.
      .refine((value) => value.length <= max || lengthOf(value) <= max, {
        error: `must have at most ${max} characters`,
      })
      .meta({ maxLength: max })
  );
}

/** Optional but not null: null is refused instead of meaning absent. */
export function notNull<Member extends z.ZodType>(member: Member): Member {
  NOT_NULL.add(member);
  return member;
}

export function refusesNull(member: z.ZodType): boolean {
  return NOT_NULL.has(member);
}

/** A position; `radius` in meters. */
export function location() {
  return z.object({
    lat: z.number().min(-90).max(90),
    lng: z.number().min(-180).max(180),
    address: text(255).default(""),
    radius: z.int().min(1).max(300_000).optional(),
  });
}
export type Location = z.output<ReturnType<typeof location>>;

/** A list whose length the operation limits with an error code of its own; the limit appears in the description. */
export function boundedByCode<Member extends z.ZodType>(list: z.ZodArray<Member>, longest: number) {
  return list.meta({ maxItems: longest });
}

/** A file of a multipart body. */
export function filePart() {
  return z.custom<FilePart>(isFile, { error: "must be a file" }).meta({ wire: "file" });
}

function isFile(value: unknown) {
  return typeof value === "object" && value !== null && "bytes" in value && value.bytes instanceof Uint8Array;
}

function printValue(schema: z.ZodString, min: number, max: number) {
  return schema
    .refine((text) => !UNPRINTABLE.test(text), { error: "must be printable" })
    .refine((text) => lengthOf(text) >= min && lengthOf(text) <= max, {
      error: `must have ${min} to ${max} characters`,
    })
    .meta({ minLength: min, maxLength: max });
}

/** Number of code points. */
function lengthOf(value: string) {
  let length = 0;
  for (const _ of value) length++;
  return length;
}

function isDay(value: string) {
  return (
    /^\d{4}-\d\d-\d\d$/.test(value) &&
    new Date(`${value}T00:00:00Z`).toString() !== "Invalid Date" &&
    new Date(`${value}T00:00:00Z`).toISOString().startsWith(value)
  );
}

const NOT_NULL = new WeakSet<z.ZodType>();
const UNPRINTABLE = /[\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;
