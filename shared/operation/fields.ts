import { z } from "zod";
import type { FilePart } from "./declaration.ts";

/** A moment: the contract's date/time outside, UTC milliseconds inside. */
export function dateTime() {
  return z.int().meta({ wire: "date-time" });
}

/** A day without a time or a zone, `yyyy-MM-dd`, kept as text. */
export function plainDate() {
  return z.string().refine(isDay, { error: "must be a date yyyy-MM-dd" }).meta({ format: "date" });
}

/** Three bytes in hexadecimal digits, no `#`. */
export function color() {
  return z.string().regex(/^[0-9A-Fa-f]{6}$/, { error: "must be six hexadecimal digits" });
}

/** Spaces count, tabs, line breaks and other control characters do not. */
export function printableText(min: number, max: number) {
  return printValue(z.string(), min, max);
}

/** The same; spaces around it do not count either. */
export function trimmedText(min: number, max: number) {
  return printValue(z.string().trim(), min, max);
}

/** Text of any characters, at most `max` of them. */
export function text(max: number) {
  return (
    z
      .string()
      // No text has more characters than units: most are not counted.
      .refine((value) => value.length <= max || lengthOf(value) <= max, {
        error: `must have at most ${max} characters`,
      })
      .meta({ maxLength: max })
  );
}

/** May be left out, but not be null: that is wrong here, and does not mean the same. */
export function notNull<Member extends z.ZodType>(member: Member): Member {
  NOT_NULL.add(member);
  return member;
}

export function refusesNull(member: z.ZodType): boolean {
  return NOT_NULL.has(member);
}

/** A place on the earth; the radius, where there is one, in meters. */
export function location() {
  return z.object({
    lat: z.number().min(-90).max(90),
    lng: z.number().min(-180).max(180),
    address: text(255).default(""),
    radius: z.int().min(1).max(300_000).optional(),
  });
}
export type Location = z.output<ReturnType<typeof location>>;

/** A list whose length the operation refuses with a code of its own, which the description alone would not know. */
export function boundedByCode<Member extends z.ZodType>(list: z.ZodArray<Member>, longest: number) {
  return list.meta({ maxItems: longest });
}

/** A part of a multipart body that is a file. */
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

/** Characters as people count them, not UTF-16 units. */
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
