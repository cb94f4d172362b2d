import type { SyncAnswer, SyncItem } from "../contract/sync.ts";
import type { Database } from "../database/open.ts";
import { ApiError, invalid } from "../error/api-error.ts";
import { type Call, type Operation, SerializedReply } from "../operation/declaration.ts";
import { permit, readInput, runOperation, serializeOutput } from "../operation/run.ts";
import { envelopeOf } from "../operation/serve.ts";
import type { Clock } from "../time/clock.ts";
import type { SyncItems } from "./queries.ts";

/** An operation that sync items may call. */
export type ItemRule<Env> = {
  operation: Operation<Env>;
  /** The database whose transactions also store the answers of the items. */
  storeAnswersIn(db: Database, items: SyncItem[], call: Pick<Call<Env>, "principal" | "actor">): Database;
  /** How several items are done in one transaction. */
  together?: {
    /** Maximum number of items per transaction. */
    maxItems: number;
    /** The thing that an item changes: items with one subject keep their order. Null: independent of all others. */
    subjectOf(params: Record<string, unknown>): string | null;
    /** Does all items or throws; returns their results. Undefined: these items cannot be done together. */
    run(inputs: ItemInput[], call: Call<Env>): Promise<Record<string, unknown>[]> | undefined;
  };
};
/** Parsed input of an item, and the time at which the user did it. */
export type ItemInput = { time: number; input: Record<string, unknown> };
type DoneItemStore = Pick<SyncItems, "selectDone">;
type DoneBefore = Map<string, { operation: string; answer: Record<string, unknown> }>;

/**
 * Runs items in their order, each like the single call at the item's time. A failed item leaves nothing and does not stop
 * the others; an item that was done before gets its stored answer. Items that one call can do are tried together, after a
 * failure in halves, so that few wrong items cost few further calls.
 */
export async function runItems<Env>(
  items: SyncItem[],
  rules: Map<string, ItemRule<Env>>,
  store: DoneItemStore,
  call: Call<Env>,
): Promise<SyncAnswer[]> {
  const results = new Map<string, SyncAnswer>();
  const asked = items.length > 0 ? selectDoneBefore(store, call, items) : undefined;
  const course: SyncRun<Env> = { store, call, results, failures: [] };
  const waiting = groupsOf(items, rules);
  for (let group = waiting.shift(); group; group = waiting.shift()) {
    const { rule } = group;
    // The first item does not wait for the look-up of done items: a push of one item then takes one round trip less.
    const known = results.size === 0 && !group.isAgain ? undefined : await asked;
    const left = rule ? group.items.filter((item) => !answerFromStore(item, rule, known, course)) : group.items;
    const [first] = left;
    if (!first) continue;
    if (!rule) results.set(first.uuid, failedAnswer(new ApiError(111), first, call));
    else if (left.length === 1) await runAlone(first, rule, course);
    else if (!(await runTogether(left, rule, course)))
      waiting.unshift(...splitGroup({ ...group, items: left }, await asked));
  }
  await asked;
  await resolveFailures(course);
  return items.map((item) => results.get(item.uuid) ?? failedAnswer(new ApiError(6), item, call));
}

type Group<Env> = { items: SyncItem[]; rule: ItemRule<Env> | undefined; isAgain?: true };

/** Groups items that one call can do; an item joins an earlier group when it is independent of those in between. */
function groupsOf<Env>(items: SyncItem[], rules: Map<string, ItemRule<Env>>): Group<Env>[] {
  const groups: Group<Env>[] = [];
  for (const item of items) {
    const rule = rules.get(item.operation);
    const place = groups.findLastIndex((group) => group.rule === rule);
    const group = groups[place];
    const hasRoom = group && group.items.length < (rule?.together?.maxItems ?? 0);
    if (hasRoom && isIndependentOf(groups.slice(place), item, rule)) group.items.push(item);
    else groups.push({ items: [item], rule });
  }
  return groups;
}

/** Whether the item gives the same result before and after the items of these groups. */
function isIndependentOf<Env>(groups: Group<Env>[], item: SyncItem, rule: ItemRule<Env> | undefined): boolean {
  const thing = subjectOf(item, rule);
  if (thing === null) return true;
  return groups.every((group) =>
    group.items.every((one) => {
      const other = subjectOf(one, group.rule);
      return other === null || (thing !== undefined && other !== undefined && thing !== other);
    }),
  );
}

/** Undefined when the subject depends on items in front of it. */
function subjectOf<Env>({ params }: SyncItem, rule: ItemRule<Env> | undefined): string | null | undefined {
  if (!rule) return null;
  return JSON.stringify(params).includes('"result_of"') ? undefined : rule.together?.subjectOf(params);
}

/** After a failed group: once more when an item was done before, else in halves. */
function splitGroup<Env>({ items, rule }: Group<Env>, known: DoneBefore | undefined): Group<Env>[] {
  if (items.some(({ uuid }) => known?.has(uuid))) return [{ items, rule, isAgain: true }];
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)].map((half) => ({ items: half, rule, isAgain: true }));
}

/** Answers an item that was done before. False for a new one. */
function answerFromStore<Env>(
  item: SyncItem,
  { operation }: ItemRule<Env>,
  known: DoneBefore | undefined,
  { call, results }: SyncRun<Env>,
): boolean {
  const done = known?.get(item.uuid);
  if (done) results.set(item.uuid, storedAnswer(operation, done, item, call));
  return done !== undefined;
}

/** Does all items of a group in one call; false when none was done. */
async function runTogether<Env>(
  items: SyncItem[],
  { operation, storeAnswersIn, together }: ItemRule<Env>,
  course: SyncRun<Env>,
): Promise<boolean> {
  const { call, results } = course;
  try {
    permit(operation, call.principal);
    const inputs: ItemInput[] = [];
    for (const item of items) {
      const clock = clockAt(item, call);
      inputs.push({ time: item.time, input: readInput(operation, await parametersOf(item, course), clock) });
    }
    const outputs = await together?.run(inputs, { ...call, db: storeAnswersIn(call.db, items, call) });
    if (!outputs) return false;
    for (const [index, item] of items.entries()) {
      results.set(item.uuid, serializeOutput(operation, outputs[index] ?? {}, call.clock));
    }
    return true;
  } catch {
    return false; // each that is wrong says so when it is alone
  }
}

/** Done items by uuid. */
export async function selectDoneBefore<Env>(
  { selectDone }: DoneItemStore,
  call: Call<Env>,
  items: SyncItem[],
): Promise<DoneBefore> {
  const rows = await selectDone(
    call.db,
    call.principal,
    items.map(({ uuid }) => uuid),
  );
  return new Map(rows.map((row) => [row.uuid, row]));
}

/** The stored answer of a done item; 7 when its uuid belongs to another operation. */
export function storedAnswer<Env>(
  operation: Operation<Env>,
  done: { operation: string; answer: Record<string, unknown> },
  item: SyncItem,
  call: Call<Env>,
): SyncAnswer {
  if (done.operation !== item.operation)
    return failedAnswer(invalid("uuid", "is that of another operation"), item, call);
  return serializeOutput(operation, done.answer, call.clock);
}

/** The error answer that the single call would have given. */
export function failedAnswer<Env>(
  thrown: unknown,
  { operation }: Pick<SyncItem, "operation">,
  { request }: Call<Env>,
): SyncAnswer {
  return envelopeOf(thrown, { path: operation, request_id: request.request_id });
}

type Failure<Env> = { item: SyncItem; operation: Operation<Env>; thrown: unknown };
type SyncRun<Env> = {
  store: DoneItemStore;
  call: Call<Env>;
  results: Map<string, SyncAnswer>;
  /** Failed items that may have been done meanwhile; not yet looked up. */
  failures: Failure<Env>[];
};

/** Does one item; a failure is resolved later. */
async function runAlone<Env>(
  item: SyncItem,
  { operation, storeAnswersIn }: ItemRule<Env>,
  course: SyncRun<Env>,
): Promise<void> {
  const { call, results, failures } = course;
  try {
    const request = { ...call.request, ...(await parametersOf(item, course)) };
    const output = await runOperation(operation, {
      ...call,
      db: storeAnswersIn(call.db, [item], call),
      clock: clockAt(item, call),
      request,
    });
    if (output instanceof Response || output instanceof SerializedReply) throw new ApiError(112);
    results.set(item.uuid, serializeOutput(operation, output, call.clock));
  } catch (thrown) {
    failures.push({ item, operation, thrown });
  }
}

/** Answers failed items: with the stored answer when another request did the item meanwhile, else with the error. */
async function resolveFailures<Env>({ store, call, results, failures }: SyncRun<Env>): Promise<void> {
  if (failures.length === 0) return;
  const done = await selectDoneBefore(
    store,
    call,
    failures.map(({ item }) => item),
  );
  for (const { item, operation, thrown } of failures.splice(0)) {
    const before = done.get(item.uuid);
    results.set(item.uuid, before ? storedAnswer(operation, before, item, call) : failedAnswer(thrown, item, call));
  }
}

async function parametersOf<Env>({ params }: SyncItem, course: SyncRun<Env>) {
  const text = JSON.stringify(params);
  // An item that refers to a failed one needs its result, which another request may have produced.
  if (course.failures.some(({ item }) => text.includes(item.uuid))) await resolveFailures(course);
  return { typed: replaceResults(params, course.results), textual: {} };
}

function clockAt<Env>({ time }: SyncItem, { clock }: Call<Env>): Clock {
  return { ...clock, now: () => time };
}

/** Replaces `{"result_of": uuid}` by the id that this item created; 7 when it created none. */
export function replaceResults(
  params: Record<string, unknown>,
  results: Map<string, SyncAnswer>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, replaceResult(value, results)]));
}

function replaceResult(value: unknown, results: Map<string, SyncAnswer>): unknown {
  if (Array.isArray(value)) return value.map((one) => replaceResult(one, results));
  if (typeof value !== "object" || value === null) return value;
  // A JSON object.
  const members = value as Record<string, unknown>;
  if (typeof members.result_of !== "string" || Object.keys(members).length > 1) return replaceResults(members, results);
  const id = results.get(members.result_of)?.id;
  if (typeof id !== "number") throw invalid("result_of", "names no earlier item that has made something");
  return id;
}
