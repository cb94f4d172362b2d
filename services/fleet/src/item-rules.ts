import type { ItemRule } from "#shared/sync/run-items.ts";
import { createJournalEntries } from "./driver-journal/entry/operations.ts";
import type { FleetEnv } from "./env.ts";
import { onceEmpty, onceStatus } from "./sync/done-queries.ts";
import { assignStatus } from "./work-status/assignment/operations.ts";

/** What items of `sync/push` may ask of fleet, by path. */
export const ITEM_RULES = new Map<string, ItemRule<FleetEnv>>([
  [createJournalEntries.path, { operation: createJournalEntries, once: onceEmpty }],
  [assignStatus.path, { operation: assignStatus, once: onceStatus }],
]);
