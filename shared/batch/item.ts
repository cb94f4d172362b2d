import * as z from "zod";
import type { Offence } from "#shared/error/api-error.ts";

const errors = z.array(z.object({ parameter: z.string(), error: z.string() })).optional();

/** The schema of a converted row: all members optional, with errors for those that do not fit. */
export function convertedItem<Derived extends z.ZodRawShape>(shape: z.ZodRawShape, derived: Derived) {
  const members = Object.keys(shape).map((name) => [name, z.unknown().optional()] as const);
  return z.object(Object.fromEntries(members)).extend({ ...derived, errors });
}

/** Adds errors to the item, if any, with parameters that begin with the name of the thing. */
export function withErrors<Item extends object>(thing: string, item: Item, errors: Offence[]) {
  if (errors.length === 0) return item;
  return { ...item, errors: errors.map(({ parameter, error }) => ({ parameter: `${thing}.${parameter}`, error })) };
}
