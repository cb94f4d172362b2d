import type { SyncItem } from "#shared/contract/sync.ts";
import type { ItemRule } from "#shared/sync/run-items.ts";
import { createJournalEntries } from "./driver-journal/entry/operations.ts";
import type { FleetEnv } from "./env.ts";
import { onceEmpty, onceStatus } from "./sync/done-queries.ts";
import { assignStatus } from "./work-status/assignment/operations.ts";

/** What items of `sync/push` may ask of fleet, by path. */
export const ITEM_RULES = new Map<string, ItemRule<FleetEnv>>([
  [createJournalEntries.path, { operation: createJournalEntries, once: onceEmpty, together: allEntries }],
  [assignStatus.path, { operation: assignStatus, once: onceStatus }],
]);

function allEntries(items: SyncItem[]) {
  const lists = items.map(({ params }) => params.entries);
  // An item alone may be without any.
  if (!lists.every((list) => Array.isArray(list) && list.length > 0)) return undefined;
  return { entries: lists.flat() };
}
