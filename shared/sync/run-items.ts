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
  /** The database as `onceIn` has it, which keeps what the operation found with each of the items. */
  once(db: Database, items: SyncItem[], call: Pick<Call<Env>, "principal" | "actor">): Database;
  /** One call that does what all of the items ask for, and finds nothing. Undefined: what they say cannot be put together. */
  together?(items: SyncItem[]): SyncItem["params"] | undefined;
};
type Store = Pick<SyncItems, "selectDone">;
type DoneBefore = Map<string, { operation: string; answer: Record<string, unknown> }>;

/**
 * Items one after the other, each as the single call would be, at the time of the item. One that fails leaves nothing and
 * stops nobody; one that was done before answers as it did then. Items side by side that one call can do are tried as
 * one: where that fails each half is, so that few that are wrong cost few calls more.
 */
export async function runItems<Env>(
  items: SyncItem[],
  rules: Map<string, ItemRule<Env>>,
  store: Store,
  call: Call<Env>,
): Promise<SyncAnswer[]> {
  const results = new Map<string, SyncAnswer>();
  const asked = items.length > 0 ? doneBefore(store, call, items) : undefined;
  const course = { store, call, results };
  const waiting = groupsOf(items, rules);
  for (let group = waiting.shift(); group; group = waiting.shift()) {
    const { rule } = group;
    // The first does not wait for what the others need to know: that would be a trip more for each push of one item.
    const known = results.size === 0 && !group.isAgain ? undefined : await asked;
    const left = rule ? group.items.filter((item) => !answerKnown(item, rule, known, course)) : group.items;
    const [first] = left;
    if (!first) continue;
    if (!rule) results.set(first.uuid, failed(new ApiError(111), first, call));
    else if (left.length === 1) results.set(first.uuid, await answerOf(first, rule, course));
    else if (!(await areDone(left, rule, course))) waiting.unshift(...splitOf({ ...group, items: left }, await asked));
  }
  await asked;
  return items.map((item) => results.get(item.uuid) ?? failed(new ApiError(6), item, call));
}

type Group<Env> = { items: SyncItem[]; rule: ItemRule<Env> | undefined; isAgain?: true };

/** What stands side by side and can be done in one call; each of the others alone. */
function groupsOf<Env>(items: SyncItem[], rules: Map<string, ItemRule<Env>>): Group<Env>[] {
  const groups: Group<Env>[] = [];
  for (const item of items) {
    const rule = rules.get(item.operation);
    const last = groups.at(-1);
    if (rule?.together && last?.rule === rule) last.items.push(item);
    else groups.push({ items: [item], rule });
  }
  return groups;
}

/** What had been done may be why they failed: then once more without that, else by halves. */
function splitOf<Env>({ items, rule }: Group<Env>, known: DoneBefore | undefined): Group<Env>[] {
  if (items.some(({ uuid }) => known?.has(uuid))) return [{ items, rule, isAgain: true }];
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)].map((half) => ({ items: half, rule, isAgain: true }));
}

/** Whether the item had been done before: then its answer stands. */
function answerKnown<Env>(
  item: SyncItem,
  { operation }: ItemRule<Env>,
  known: DoneBefore | undefined,
  { call, results }: Course<Env>,
): boolean {
  const done = known?.get(item.uuid);
  if (done) results.set(item.uuid, answeredBefore(operation, done, item, call));
  return done !== undefined;
}

/** Whether one call has done all of the items; if not, none is. */
async function areDone<Env>(
  items: SyncItem[],
  { operation, once, together }: ItemRule<Env>,
  { call, results }: Course<Env>,
): Promise<boolean> {
  const params = together?.(items);
  if (!params) return false;
  try {
    const request = { ...call.request, typed: withResults(params, results), textual: {} };
    await runOperation(operation, { ...call, db: once(call.db, items, call), request });
  } catch {
    return false; // each that is wrong says so when it is alone
  }
  for (const item of items) results.set(item.uuid, writtenOutput(operation, {}, call.clock));
  return true;
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
  { store, call, results }: Course<Env>,
): Promise<SyncAnswer> {
  try {
    const typed = withResults(item.params, results);
    const found = await runOperation(operation, {
      ...call,
      db: once(call.db, [item], call),
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
