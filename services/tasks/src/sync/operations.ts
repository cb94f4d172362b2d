import * as z from "zod";
import type { SyncAnswer, SyncItem } from "#shared/contract/sync.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import type { Call, Operation } from "#shared/operation/declaration.ts";
import { dateTime } from "#shared/operation/fields.ts";
import { failedAnswer, type ItemRule, runItems } from "#shared/sync/run-items.ts";
import { EARLIEST_MS } from "#shared/time/earliest.ts";
import type { TasksEnv } from "../env.ts";
import { operation } from "../operation.ts";
import { runCheckins } from "./checkins.ts";
import { selectDone } from "./done-queries.ts";

/** The operations that items may name, by the way in which they are run. */
export type ItemRules = {
  /** Creates check-ins; all items of this operation are stored in one transaction. */
  checkin: Operation<TasksEnv>;
  /** Operations of this service, by path; their items run one after the other. */
  own: Map<string, ItemRule<TasksEnv>>;
  /** Paths of operations that fleet runs. */
  fleet: string[];
};

/** A phone sends more items in several calls. */
const MAX_ITEMS_PER_CALL = 200;

const Item = z.object({
  /** Made by the device: an item that is sent again within 30 days is not done again. */
  uuid: z.uuid(),
  /** When it was done; a time in the future counts as now, and one before 2000 is the item's error 7. */
  time: dateTime(),
  /** A path, such as `checkin/create`. */
  operation: z.string().max(100),
  /**
   * Parameters of the operation. `{"result_of": uuid}` is replaced by the id that an earlier item of this call has
   * created.
   */
  params: z.record(z.string(), z.unknown()),
});
/** `answer` is the answer of a single call. */
const Result = z.object({ uuid: z.string(), answer: z.record(z.string(), z.unknown()) });

export function createOperations(rules: ItemRules): Operation<TasksEnv>[] {
  const pushSync = operation("/sync/push", {
    summary: "Stores work done offline: each item once; an item that fails does not stop the others",
    input: z.object({ items: z.array(Item).max(MAX_ITEMS_PER_CALL) }),
    output: z.object({ results: z.array(Result) }),
    errors: [],
    async run({ items }, call) {
      const now = call.clock.now();
      const normalized = items.map((item) => ({
        ...item,
        uuid: item.uuid.toLowerCase(),
        time: Math.min(item.time, now),
        operation: `/${item.operation.replace(/^\/|\/$/g, "")}`,
      }));
      const answers = await answerItems(normalized, rules, call);
      // An item that a call contains twice is done once and answered twice.
      const results = normalized.flatMap(({ uuid }) => {
        const answer = answers.get(uuid);
        return answer ? [{ uuid, answer }] : [];
      });
      return { results };
    },
  });
  return [pushSync];
}

/**
 * Answers by uuid. Check-ins come last: they may use forms that other items issue, and no item refers to a check-in.
 */
async function answerItems(items: SyncItem[], { checkin, own, fleet }: ItemRules, call: Call<TasksEnv>) {
  const answers = new Map<string, SyncAnswer>();
  const note = (some: SyncItem[], theirs: SyncAnswer[]) => {
    for (const [index, item] of some.entries()) {
      answers.set(item.uuid, theirs[index] ?? failedAnswer(new ApiError(6), item, call));
    }
  };
  const once = [...new Map(items.toReversed().map((item) => [item.uuid, item])).values()].toReversed();
  // An error of the item alone: a phone with an unset clock must not keep its other items from being stored.
  const [early, timely] = [once.filter(isTooEarly), once.filter((item) => !isTooEarly(item))];
  const wrongTime = invalid("time", "must not be before 2000-01-01");
  note(
    early,
    early.map((item) => failedAnswer(wrongTime, item, call)),
  );
  const fleets = timely.filter(({ operation }) => fleet.includes(operation));
  const checkins = timely.filter(({ operation }) => operation === checkin.path);
  const others = timely.filter((item) => !fleets.includes(item) && !checkins.includes(item));
  const [ofFleet] = await Promise.all([
    answerFleetItems(fleets, call),
    runItems(others, own, { selectDone }, call).then((theirs) => note(others, theirs)),
  ]);
  note(fleets, ofFleet);
  note(checkins, await runCheckins(checkins, checkin, answers, call));
  return answers;
}

function isTooEarly({ time }: SyncItem) {
  return time < EARLIEST_MS;
}

async function answerFleetItems(items: SyncItem[], { env, principal, request }: Call<TasksEnv>): Promise<SyncAnswer[]> {
  if (items.length === 0) return [];
  const { typed, textual, ...rest } = request;
  // `SyncedCalls.runItems` promises answers of this shape.
  return JSON.parse(await env.FLEET.runItems(principal, rest, items));
}
