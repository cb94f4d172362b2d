import type * as z from "zod";
import type { Call } from "#shared/operation/declaration.ts";
import type { ItemInput, ItemRule } from "#shared/sync/run-items.ts";
import { createJournalEntries, type JournalInput, MAX_ENTRIES_PER_CALL } from "./driver-journal/entry/operations.ts";
import type { FleetEnv } from "./env.ts";
import { databaseStoringEmptyAnswers, databaseStoringStatusAnswers } from "./sync-item-queries.ts";
import { assignStatus, assignStatuses, type StatusInput } from "./work-status/assignment/operations.ts";

/**
 * The operations of fleet that items of `/sync/push` may call, by path. Items of different paths are independent of
 * each other.
 */
export const ITEM_RULES = new Map<string, ItemRule<FleetEnv>>([
  [
    createJournalEntries.path,
    {
      operation: createJournalEntries,
      storeAnswersIn: databaseStoringEmptyAnswers,
      together: { maxItems: 200, subjectOf: () => null, run: createAll },
    },
  ],
  [
    assignStatus.path,
    {
      operation: assignStatus,
      storeAnswersIn: databaseStoringStatusAnswers,
      together: { maxItems: 50, subjectOf: () => null, run: assignAll },
    },
  ],
]);

function createAll(items: ItemInput[], call: Call<FleetEnv>) {
  // Items are validated with the operation's own input schema.
  const lists = items.map(({ input }) => (input as z.output<typeof JournalInput>).entries);
  const entries = lists.flat();
  // Executed one by one when they exceed one call, or when an item has no entries, which only a call of its own
  // accepts.
  if (entries.length > MAX_ENTRIES_PER_CALL || lists.some((list) => list.length === 0)) return undefined;
  return createJournalEntries.run({ entries }, call).then(() => items.map(() => ({})));
}

function assignAll(items: ItemInput[], call: Call<FleetEnv>) {
  // Items are validated with the operation's own input schema.
  const changes = items.map(({ input, time }) => ({ ...(input as z.output<typeof StatusInput>), changed: time }));
  return assignStatuses(changes, call);
}
