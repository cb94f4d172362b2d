import { type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { ApiError } from "../error/api-error.ts";
import type { Database } from "./open.ts";

type Statement = BatchItem<"sqlite">;

/** A condition of the whole transaction: where it does not hold, nothing is written and `error` is thrown. */
class Demand {
  readonly condition: SQL | undefined;
  readonly error: () => Error;

  constructor(condition: SQL | undefined, error: () => Error) {
    this.condition = condition;
    this.error = error;
  }
}

/** Several statements under one name have no result; what is undefined is left out. */
type Step = Statement | Demand | readonly Statement[] | undefined;
export type Steps = Record<string, Step>;
type ResultOf<S> = S extends Statement ? S["_"]["result"] : S extends undefined ? undefined : never;
/** What the statements answered, by the names of their steps. */
export type Results<S extends Steps> = {
  [Name in keyof S as NonNullable<S[Name]> extends Demand | readonly Statement[] ? never : Name]: ResultOf<S[Name]>;
};

/** Those of several things for one transaction, one thing after the other. */
export function stepsOfEach<Thing>(things: Thing[], stepsOf: (thing: Thing, key: number) => Steps): Steps {
  const named = things.flatMap((thing, key) =>
    Object.entries(stepsOf(thing, key)).map(([name, step]) => [`${name} ${key}`, step] as const),
  );
  return Object.fromEntries(named);
}

/** Without a condition it always holds. Of several that fail, the first is thrown. */
export function demand(condition: SQL | undefined, error: () => Error): Demand {
  return new Demand(condition, error);
}

/** A demand on the statement in front of it: that it changed at least one row. */
export function demandChange(error: () => Error): Demand {
  return new Demand(sql`changes() > 0`, error);
}

/** One round trip and one moment of the database for all steps, which change nothing. */
export function read<S extends Steps>(db: Database, steps: S): Promise<Results<S>> {
  return run(db, steps);
}

/** One transaction: all steps in their order, or none where a statement or a demand fails. */
export function write<S extends Steps>(db: Database, steps: S): Promise<Results<S>> {
  return run(db, steps);
}

/**
 * For what is decided outside the database: reads, decides, and writes what demands with `outdatedError` that the rows are
 * still as they were read. Where they are not, it begins anew, a few times.
 */
export async function retryOutdated<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (thrown) {
      if (!(thrown instanceof Outdated)) throw thrown;
      if (tries === ATTEMPTS) throw new ApiError(14);
    }
  }
}

/** The error of a demand within `retryOutdated`. */
export function outdatedError(): Error {
  return new Outdated("read rows have changed since");
}

class Outdated extends Error {}

type BatchedStatement = { statement: Statement; name?: string; error?: () => Error };

async function run<S extends Steps>(db: Database, steps: S): Promise<Results<S>> {
  const placed = Object.entries(steps).flatMap(([name, step]) => statementsOf(db, name, step));
  // Drizzle's type says that a batch is not empty; a call without any step has no use.
  const statements = placed.map(({ statement }) => statement) as [Statement, ...Statement[]];
  const answers: unknown[] = await db.batch(statements).catch((thrown) => {
    throw failedDemand(thrown, placed) ?? thrown;
  });
  const named = placed.flatMap(({ name }, index) => (name === undefined ? [] : [[name, answers[index]]]));
  // `placesOf` names the steps that `Results` has.
  return Object.fromEntries(named) as Results<S>;
}

function statementsOf(db: Database, name: string, step: Step): BatchedStatement[] {
  if (step === undefined) return [];
  if (Array.isArray(step)) return step.map((statement: Statement) => ({ statement }));
  if (step instanceof Demand) {
    if (!step.condition) return [];
    return [{ statement: db.all(sql`SELECT iif(${step.condition}, 1, json('no'))`), error: step.error }];
  }
  // What is neither a list nor a demand is a statement.
  return [{ statement: step as Statement, name }];
}

/** The client tells which statement failed; `json('no')` is the only text that a demand makes malformed. */
function failedDemand(thrown: unknown, placed: BatchedStatement[]): Error | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (!("statementIndex" in error) || typeof error.statementIndex !== "number") continue;
    const failed = placed[error.statementIndex]?.error;
    return failed && /malformed JSON/i.test(error.message) ? failed() : undefined;
  }
  return undefined;
}

const ATTEMPTS = 3;
