import { inArray } from "drizzle-orm";
import type { RemovedUser } from "#shared/contract/removal.ts";
import type { Database } from "#shared/database/open.ts";
import { write } from "#shared/database/steps.ts";
import { customField } from "../table/place/custom-field.ts";
import { entityLayout } from "../table/place/entity-layout.ts";
import { place } from "../table/place/place.ts";
import { placeChange } from "../table/place/place-change.ts";
import { placeRevision } from "../table/place/place-revision.ts";
import { removedTag } from "../table/removed-tag.ts";
import { rule } from "../table/rule/rule.ts";
import { ruleRevision } from "../table/rule/rule-revision.ts";
import { ruleTracker } from "../table/rule/rule-tracker.ts";
import { ruleZone } from "../table/rule/rule-zone.ts";
import { subUserAccess } from "../table/sub-user-access.ts";
import { subUserBinding } from "../table/sub-user-binding.ts";
import { tagBinding } from "../table/tag-binding.ts";
import { zone } from "../table/zone/zone.ts";
import { zoneOutline } from "../table/zone/zone-outline.ts";
import { deletePrivateRules } from "./queries.ts";

/** Deletes everything that belongs to the users, and for a master everything of the account. */
export async function deleteUserRecords(db: Database, users: RemovedUser[]) {
  const accounts = users.filter(({ id, account_id }) => id === account_id).map(({ account_id }) => account_id);
  const ids = users.map(({ id }) => id);
  await write(db, {
    hidden: db.delete(subUserBinding).where(inArray(subUserBinding.sub_user_id, ids)),
    closed: db.delete(subUserAccess).where(inArray(subUserAccess.sub_user_id, ids)),
    rules: deletePrivateRules(db, ids),
    removed: ACCOUNT_TABLES.map((table) => db.delete(table).where(inArray(table.account_id, accounts))),
    unheard: db.delete(placeChange).where(inArray(placeChange.sub_user_id, ids)),
  });
}

/** Tables whose rows are deleted with their account. */
const ACCOUNT_TABLES = [
  place,
  customField,
  entityLayout,
  zone,
  zoneOutline,
  rule,
  ruleZone,
  ruleTracker,
  ruleRevision,
  tagBinding,
  removedTag,
  subUserBinding,
  subUserAccess,
  // Last, because triggers write changes when the rows of other tables are deleted.
  placeChange,
  placeRevision,
];
