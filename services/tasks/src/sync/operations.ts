import { z } from "zod";
import type { SyncAnswer, SyncItem } from "#shared/contract/sync.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Call, Operation } from "#shared/operation/declaration.ts";
import { dateTime } from "#shared/operation/fields.ts";
import { failedAnswer, type ItemRule, runItems } from "#shared/sync/run-items.ts";
import type { TasksEnv } from "../env.ts";
import { operation } from "../operation.ts";
import { runCheckins } from "./checkins.ts";
import { selectDone } from "./done-queries.ts";

/** What items may ask for. */
export type ItemRules = {
  /** Those are stored all together. */
  checkin: Operation<TasksEnv>;
  /** By path, what tasks do one after the other. */
  own: Map<string, ItemRule<TasksEnv>>;
  /** The paths of fleet's. */
  fleet: string[];
};

/** A phone sends what it has kept in parts. */
const MAX_ITEMS_PER_CALL = 200;

const Item = z.object({
  /** Of the device's own making: an item that is sent again within 30 days is not done again. */
  uuid: z.uuid(),
  /** When it was done; what lies ahead of the clock counts as now. */
  time: dateTime(),
  /** A path, such as `checkin/create`. */
  operation: z.string().max(100),
  /** Those of the operation. `{"result_of": uuid}` stands for the id that an earlier item of the same call has made. */
  params: z.record(z.string(), z.unknown()),
});
/** As `answer`, what a single call would have answered. */
const Result = z.object({ uuid: z.string(), answer: z.record(z.string(), z.unknown()) });

export function createOperations(rules: ItemRules): Operation<TasksEnv>[] {
  const pushSync = operation("/sync/push", {
    summary: "Does what was done without a network: each item once, one that fails stops nobody",
    input: z.object({ items: z.array(Item).max(MAX_ITEMS_PER_CALL) }),
    output: z.object({ results: z.array(Result) }),
    errors: [],
    async run({ items }, call) {
      const now = call.clock.now();
      const given = items.map((item) => ({
        ...item,
        uuid: item.uuid.toLowerCase(),
        time: Math.min(item.time, now),
        operation: `/${item.operation.replace(/^\/|\/$/g, "")}`,
      }));
      const answers = await answerItems(given, rules, call);
      // An item that stands there twice was done once.
      const results = given.flatMap(({ uuid }) => {
        const answer = answers.get(uuid);
        return answer ? [{ uuid, answer }] : [];
      });
      return { results };
    },
  });
  return [pushSync];
}

/** By uuid. What is no check-in comes first: a check-in may name a form that was issued before it, nothing names a check-in. */
async function answerItems(items: SyncItem[], { checkin, own, fleet }: ItemRules, call: Call<TasksEnv>) {
  const answers = new Map<string, SyncAnswer>();
  const note = (some: SyncItem[], theirs: SyncAnswer[]) => {
    for (const [index, item] of some.entries()) {
      answers.set(item.uuid, theirs[index] ?? failedAnswer(new ApiError(6), item, call));
    }
  };
  const once = [...new Map(items.toReversed().map((item) => [item.uuid, item])).values()].toReversed();
  const fleets = once.filter(({ operation }) => fleet.includes(operation));
  const checkins = once.filter(({ operation }) => operation === checkin.path);
  const others = once.filter((item) => !fleets.includes(item) && !checkins.includes(item));
  const [ofFleet] = await Promise.all([
    answerFleetItems(fleets, call),
    runItems(others, own, { selectDone }, call).then((theirs) => note(others, theirs)),
  ]);
  note(fleets, ofFleet);
  note(checkins, await runCheckins(checkins, checkin, answers, call));
  return answers;
}

async function answerFleetItems(items: SyncItem[], { env, principal, request }: Call<TasksEnv>): Promise<SyncAnswer[]> {
  if (items.length === 0) return [];
  const { typed, textual, ...rest } = request;
  // Fleet promises answers of this shape.
  return JSON.parse(await env.FLEET.runItems(principal, rest, items));
}
