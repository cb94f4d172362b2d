import { z } from "zod";
import { ApiError } from "../error/api-error.ts";
import { notNull, refusesNull } from "./fields.ts";
import { offencesOf } from "./parameters.ts";
import { completeFrom } from "./partial.ts";

/**
 * What an update takes of a thing: a member that is left out keeps its value, and null gives it the one that create gives
 * without it. What create needs, and what must not be null there either, cannot be emptied so.
 */
export function changesOf<Shape extends z.ZodRawShape>(thing: z.ZodObject<Shape>) {
  const members = Object.entries(thing.shape).map(([name, member]) => [name, changeOf(member as z.ZodType)]);
  // Each member keeps its type, less its default.
  return z.object(Object.fromEntries(members)) as unknown as z.ZodObject<{
    [Name in keyof Shape]: z.ZodOptional<
      Shape[Name] extends z.ZodDefault<infer Inner> | z.ZodPrefault<infer Inner> ? Inner : Shape[Name]
    >;
  }>;
}

/** The whole thing as create would take it, with its changes; what does not fit together is refused by name. */
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
  // Zod's own types hide what kind of schema a default is around.
  const inner = member.unwrap() as z.ZodType;
  if (refusesNull(member)) return notNull(z.optional(inner));
  if (inner instanceof z.ZodNullable) return z.optional(inner);
  return z.optional(z.nullable(inner).transform((value) => value ?? member.def.defaultValue));
}
