import type { z } from "zod";
import type { Call } from "#shared/operation/declaration.ts";
import type { ItemInput, ItemRule } from "#shared/sync/run-items.ts";
import { createJournalEntries, type JournalInput, MAX_ENTRIES_PER_CALL } from "./driver-journal/entry/operations.ts";
import type { FleetEnv } from "./env.ts";
import { recordEmptyAnswers, recordStatusAnswers } from "./sync-item-queries.ts";
import { assignStatus, assignStatuses, type StatusInput } from "./work-status/assignment/operations.ts";

/** What items of `sync/push` may ask of fleet, by path. Neither has to do with the other. */
export const ITEM_RULES = new Map<string, ItemRule<FleetEnv>>([
  [
    createJournalEntries.path,
    {
      operation: createJournalEntries,
      doingOnce: recordEmptyAnswers,
      together: { most: 200, subjectOf: () => null, run: createAll },
    },
  ],
  [
    assignStatus.path,
    {
      operation: assignStatus,
      doingOnce: recordStatusAnswers,
      together: { most: 50, subjectOf: () => null, run: assignAll },
    },
  ],
]);

function createAll(items: ItemInput[], call: Call<FleetEnv>) {
  // It is the operation's own input.
  const lists = items.map(({ input }) => (input as z.output<typeof JournalInput>).entries);
  const entries = lists.flat();
  // An item alone may be without any.
  if (entries.length > MAX_ENTRIES_PER_CALL || lists.some((list) => list.length === 0)) return undefined;
  return createJournalEntries.run({ entries }, call).then(() => items.map(() => ({})));
}

function assignAll(items: ItemInput[], call: Call<FleetEnv>) {
  // It is the operation's own input.
  const changes = items.map(({ input, time }) => ({ ...(input as z.output<typeof StatusInput>), changed: time }));
  return assignStatuses(changes, call);
}
