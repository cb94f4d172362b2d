import type { SyncAnswer, SyncItem } from "../contract/sync.ts";
import type { Database } from "../database/open.ts";
import { ApiError, invalid } from "../error/api-error.ts";
import { type Call, type Operation, WrittenReply } from "../operation/declaration.ts";
import { runOperation, writtenOutput } from "../operation/run.ts";
import { failureOf } from "../operation/serve.ts";
import type { SyncItems } from "./queries.ts";

/** An operation that items may name. */
export type ItemRule<Env> = {
  operation: Operation<Env>;
  /** The database as `onceIn` has it, which keeps what the operation found with the item. */
  once(db: Database, item: SyncItem, call: Pick<Call<Env>, "principal" | "actor">): Database;
};
type Store = Pick<SyncItems, "selectDone">;
type DoneBefore = Map<string, { operation: string; answer: Record<string, unknown> }>;

/**
 * Items one after the other, each as the single call would be, at the time of the item. One that fails leaves nothing and
 * stops nobody; one that was done before answers as it did then.
 */
export async function runItems<Env>(
  items: SyncItem[],
  rules: Map<string, ItemRule<Env>>,
  store: Store,
  call: Call<Env>,
): Promise<SyncAnswer[]> {
  const results = new Map<string, SyncAnswer>();
  const asked = items.length > 0 ? doneBefore(store, call, items) : undefined;
  const answers: SyncAnswer[] = [];
  for (const item of items) {
    const rule = rules.get(item.operation);
    // The first does not wait for what the others need to know: that would be a trip more for each push of one item.
    const known = answers.length === 0 ? undefined : (await asked)?.get(item.uuid);
    const answer = rule
      ? await answerOf(item, rule, known, { store, call, results })
      : failed(new ApiError(111), item, call);
    results.set(item.uuid, answer);
    answers.push(answer);
  }
  await asked;
  return answers;
}

/** By uuid. */
export async function doneBefore<Env>({ selectDone }: Store, call: Call<Env>, items: SyncItem[]): Promise<DoneBefore> {
  const rows = await selectDone(
    call.db,
    call.principal,
    items.map(({ uuid }) => uuid),
  );
  return new Map(rows.map((row) => [row.uuid, row]));
}

/** What an item answers that was done before; a uuid that was another operation's is 7. */
export function answeredBefore<Env>(
  operation: Operation<Env>,
  done: { operation: string; answer: Record<string, unknown> },
  item: SyncItem,
  call: Call<Env>,
): SyncAnswer {
  if (done.operation !== item.operation) return failed(invalid("uuid", "is that of another operation"), item, call);
  return writtenOutput(operation, done.answer, call.clock);
}

/** As the single call would have answered. */
export function failed<Env>(
  thrown: unknown,
  { operation }: Pick<SyncItem, "operation">,
  { request }: Call<Env>,
): SyncAnswer {
  return JSON.parse(failureOf(thrown, { path: operation, request_id: request.request_id }).body);
}

type Course<Env> = { store: Store; call: Call<Env>; results: Map<string, SyncAnswer> };

async function answerOf<Env>(
  item: SyncItem,
  { operation, once }: ItemRule<Env>,
  known: { operation: string; answer: Record<string, unknown> } | undefined,
  { store, call, results }: Course<Env>,
): Promise<SyncAnswer> {
  if (known) return answeredBefore(operation, known, item, call);
  try {
    const typed = withResults(item.params, results);
    const found = await runOperation(operation, {
      ...call,
      db: once(call.db, item, call),
      clock: { ...call.clock, now: () => item.time },
      request: { ...call.request, typed, textual: {} },
    });
    if (found instanceof Response || found instanceof WrittenReply) throw new ApiError(112);
    return writtenOutput(operation, found, call.clock);
  } catch (thrown) {
    // The same item may have been done meanwhile, and be why this one could not.
    const done = (await doneBefore(store, call, [item])).get(item.uuid);
    return done ? answeredBefore(operation, done, item, call) : failed(thrown, item, call);
  }
}

/** With `{"result_of": uuid}` replaced by the id that this item has made; 7 where it has made none. */
export function withResults(
  params: Record<string, unknown>,
  results: Map<string, SyncAnswer>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, withResult(value, results)]));
}

function withResult(value: unknown, results: Map<string, SyncAnswer>): unknown {
  if (Array.isArray(value)) return value.map((one) => withResult(one, results));
  if (typeof value !== "object" || value === null) return value;
  // An object of JSON.
  const members = value as Record<string, unknown>;
  if (typeof members.result_of !== "string" || Object.keys(members).length > 1) return withResults(members, results);
  const id = results.get(members.result_of)?.id;
  if (typeof id !== "number") throw invalid("result_of", "names no earlier item that has made something");
  return id;
}
