import * as z from "zod";
import { ApiError } from "../error/api-error.ts";
import { notNull, refusesNull } from "./fields.ts";
import { offencesOf } from "./parameters.ts";
import { completeFrom } from "./partial.ts";

/**
 * The schema of an update: absent members keep their value, null resets a member to create's default. Required and
 * non-null members refuse null.
 */
export function changesOf<Shape extends z.ZodRawShape>(thing: z.ZodObject<Shape>) {
  const members = Object.entries(thing.shape).map(([name, member]) => [name, changeOf(member as z.ZodType)]);
  // Each member keeps its type without its default.
  return z.object(Object.fromEntries(members)) as unknown as z.ZodObject<{
    [Name in keyof Shape]: z.ZodOptional<
      Shape[Name] extends z.ZodDefault<infer Inner> | z.ZodPrefault<infer Inner> ? Inner : Shape[Name]
    >;
  }>;
}

/** The whole thing after the changes, validated by create's schema. */
export function mergeChanges<Thing extends z.ZodType>(
  schema: Thing,
  current: object,
  changes: object,
  parameter: string,
): z.output<Thing> {
  const whole = completeFrom(current, changes);
  const checked = schema.safeParse(whole);
  if (checked.success) return checked.data;
  const offences = offencesOf(checked.error.issues, whole);
  throw new ApiError(7, {
    errors: offences.map((one) => ({ ...one, parameter: `${parameter}.${one.parameter}` })),
  });
}

function changeOf(member: z.ZodType): z.ZodType {
  if (!(member instanceof z.ZodDefault || member instanceof z.ZodPrefault)) return notNull(z.optional(member));
  // The schema inside a default, which zod's types hide.
  const inner = member.unwrap() as z.ZodType;
  if (refusesNull(member)) return notNull(z.optional(inner));
  if (inner instanceof z.ZodNullable) return z.optional(inner);
  return z.optional(z.nullable(inner).transform((value) => value ?? member.def.defaultValue));
}
