import { z } from "zod";
import type { Offence } from "#shared/error/api-error.ts";

const errors = z.array(z.object({ parameter: z.string(), error: z.string() })).optional();

/** A thing as far as a row gives one: whatever does not fit stands among the errors. */
export function convertedItem<Told extends z.ZodRawShape>(shape: z.ZodRawShape, told: Told) {
  const members = Object.keys(shape).map((name) => [name, z.unknown().optional()] as const);
  return z.object(Object.fromEntries(members)).extend({ ...told, errors });
}

/** The item with what is wrong with it, where anything is; parameters begin with the name of the thing. */
export function withErrors<Item extends object>(thing: string, item: Item, errors: Offence[]) {
  if (errors.length === 0) return item;
  return { ...item, errors: errors.map(({ parameter, error }) => ({ parameter: `${thing}.${parameter}`, error })) };
}
