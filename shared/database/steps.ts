import { type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { ApiError } from "../error/api-error.ts";
import { failedDemandIndex } from "../error/failure.ts";
import type { Database } from "./open.ts";

type Statement = BatchItem<"sqlite">;

/** A condition of the whole transaction: when it fails, nothing is written and `error` is thrown. */
class Demand {
  readonly condition: SQL | undefined;
  readonly error: () => Error;

  constructor(condition: SQL | undefined, error: () => Error) {
    this.condition = condition;
    this.error = error;
  }
}

/** A list of statements has no result; undefined steps are skipped. */
type Step = Statement | Demand | readonly Statement[] | undefined;
export type Steps = Record<string, Step>;
type ResultOf<S> = S extends Statement ? S["_"]["result"] : S extends undefined ? undefined : never;
/** Results by the names of the steps. */
export type Results<S extends Steps> = {
  [Name in keyof S as NonNullable<S[Name]> extends Demand | readonly Statement[] ? never : Name]: ResultOf<S[Name]>;
};

/** Joins the steps of several things into one transaction. */
export function stepsOfEach<Thing>(things: Thing[], stepsOf: (thing: Thing, key: number) => Steps): Steps {
  const entries = things.flatMap((thing, key) =>
    Object.entries(stepsOf(thing, key)).map(([name, step]) => [`${name} ${key}`, step] as const),
  );
  return Object.fromEntries(entries);
}

/** Without a condition the demand always holds. Of several demands that fail, the first is thrown. */
export function demand(condition: SQL | undefined, error: () => Error): Demand {
  return new Demand(condition, error);
}

/** Demands that the preceding statement changed at least one row. */
export function demandChange(error: () => Error): Demand {
  return new Demand(sql`changes() > 0`, error);
}

/** Reads all steps in one round trip and one snapshot. */
export function read<S extends Steps>(db: Database, steps: S): Promise<Results<S>> {
  return run(db, steps);
}

/** Runs all steps in order in one transaction; none takes effect when a statement or demand fails. */
export function write<S extends Steps>(db: Database, steps: S): Promise<Results<S>> {
  return run(db, steps);
}

/**
 * Repeats `attempt` while its write fails with `outdatedError`: for decisions made in TypeScript between reading and
 * writing. 14 after several attempts.
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

/** Error of a demand that the rows read before are unchanged; see `retryOutdated`. */
export function outdatedError(): Error {
  return new Outdated("read rows have changed since");
}

class Outdated extends Error {}

type BatchedStatement = { statement: Statement; name?: string; error?: () => Error };

async function run<S extends Steps>(db: Database, steps: S): Promise<Results<S>> {
  const placed = Object.entries(steps).flatMap(([name, step]) => statementsOf(db, name, step));
  // Drizzle's type excludes an empty batch; no call has no steps.
  const statements = placed.map(({ statement }) => statement) as [Statement, ...Statement[]];
  const answers: unknown[] = await db.batch(statements).catch((thrown) => {
    const index = failedDemandIndex(thrown);
    throw (index === undefined ? undefined : placed[index]?.error?.()) ?? thrown;
  });
  const entries = placed.flatMap(({ name }, index) => (name === undefined ? [] : [[name, answers[index]]]));
  // `statementsOf` names the steps that `Results` has.
  return Object.fromEntries(entries) as Results<S>;
}

function statementsOf(db: Database, name: string, step: Step): BatchedStatement[] {
  if (step === undefined) return [];
  if (Array.isArray(step)) return step.map((statement: Statement) => ({ statement }));
  if (step instanceof Demand) {
    if (!step.condition) return [];
    return [{ statement: db.all(sql`SELECT iif(${step.condition}, 1, json('no'))`), error: step.error }];
  }
  // A step that is neither a list nor a demand is a statement.
  return [{ statement: step as Statement, name }];
}

const ATTEMPTS = 3;
