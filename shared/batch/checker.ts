import { z } from "zod";
import type { Offence } from "#shared/error/api-error.ts";
import { readerOf } from "#shared/operation/parameters.ts";
import type { Clock } from "#shared/time/clock.ts";
import { checkedOf, NO_CLOCK } from "./cells.ts";

/** What `checkedOf` answers of the cells of a row. */
export type Checker<Schema extends z.ZodType> = (cells: unknown, errors: Offence[]) => z.output<Schema> | undefined;
/** The value that a schema makes of a cell, or `WRONG`. */
type Check = (given: unknown) => unknown;

/**
 * Checks the rows of one batch as `checkedOf` does, which says what is wrong with a row. Rows that are right, as most are,
 * are found out sooner: cell by cell, and what a column has said before is known.
 */
export function checkerOf<Schema extends z.ZodObject>(schema: Schema, clock: Clock = NO_CLOCK): Checker<Schema> {
  const check = objectCheck(schema, clock);
  return (cells, errors) => {
    const checked = check(cells);
    // It is put together of what the schema's own members gave.
    return checked === WRONG ? checkedOf(schema, cells, errors, clock) : (checked as z.output<Schema>);
  };
}

function objectCheck(schema: z.ZodObject, clock: Clock): Check {
  const members = new Map(
    Object.entries(schema.shape).map(([name, member]) => [name, memberOf(member as z.ZodType, clock)]),
  );
  const absent = Object.fromEntries(
    [...members].flatMap(([name, { absent }]) => ("value" in absent ? [[name, absent.value]] : [])),
  );
  const required = [...members].filter(([, { absent }]) => absent.isWrong).map(([name]) => name);
  const made = [...members].flatMap(([name, { absent }]) => (absent.make ? [[name, absent.make] as const] : []));
  // Those of the whole: they take whatever the members made.
  const checks = (schema.def.checks ?? []) as z.core.$ZodCheck<unknown>[];
  const whole = checks.length > 0 ? z.any().check(...checks) : undefined;
  return (given) => {
    if (typeof given !== "object" || given === null || Array.isArray(given)) return WRONG;
    const checked: Record<string, unknown> = { ...absent };
    for (const [name, make] of made) checked[name] = make();
    for (const name in given) {
      const value = (given as Record<string, unknown>)[name]; // it is an object
      const member = value === undefined ? undefined : members.get(name);
      if (!member) continue;
      const known = member.check(value);
      if (known === WRONG) return WRONG;
      checked[name] = known;
    }
    for (const name of required) if (checked[name] === undefined) return WRONG;
    return whole && !whole.safeParse(checked).success ? WRONG : checked;
  };
}

type Absent = { value?: unknown; make?: () => unknown; isWrong?: boolean };

/** What is made of a member that is there, and of one that is not. */
function memberOf(schema: z.ZodType, clock: Clock): { check: Check; absent: Absent } {
  const check = schema instanceof z.ZodObject ? objectCheck(schema, clock) : cellCheck(schema, clock);
  const { success, data } = schema.safeParse(undefined);
  if (!success) return { check, absent: { isWrong: true } };
  if (data === undefined) return { check, absent: {} };
  // No two rows may have the same list.
  return {
    check,
    absent: typeof data === "object" && data !== null ? { make: () => schema.parse(undefined) } : { value: data },
  };
}

function cellCheck(schema: z.ZodType, clock: Clock): Check {
  const read = readerOf(schema);
  const known = new Map<unknown, unknown>();
  return (given) => {
    const before = known.get(given);
    if (before !== undefined) return before;
    const offences: Offence[] = [];
    const { success, data } = schema.safeParse(read(given, "", false, { clock, offences }));
    if (!success || offences.length > 0) return WRONG;
    if (typeof data !== "object" && known.size < MOST_KNOWN) known.set(given, data);
    return data;
  };
}

/** No schema makes it of anything. */
const WRONG = Symbol("wrong");
/** A column whose cells all differ is not worth more. */
const MOST_KNOWN = 200;
