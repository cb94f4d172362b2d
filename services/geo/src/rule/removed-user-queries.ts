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
import { ruleBook } from "../table/rule/rule-book.ts";
import { ruleTracker } from "../table/rule/rule-tracker.ts";
import { ruleZone } from "../table/rule/rule-zone.ts";
import { subUserAccess } from "../table/sub-user-access.ts";
import { subUserBinding } from "../table/sub-user-binding.ts";
import { tagBinding } from "../table/tag-binding.ts";
import { zone } from "../table/zone/zone.ts";
import { zoneOutline } from "../table/zone/zone-outline.ts";
import { removePrivateRules } from "./queries.ts";

/** What the users had here, and of masters all that their accounts had. */
export async function forgetUsers(db: Database, users: RemovedUser[]) {
  const accounts = users.filter(({ id, account_id }) => id === account_id).map(({ account_id }) => account_id);
  const ids = users.map(({ id }) => id);
  await write(db, {
    hidden: db.delete(subUserBinding).where(inArray(subUserBinding.sub_user_id, ids)),
    closed: db.delete(subUserAccess).where(inArray(subUserAccess.sub_user_id, ids)),
    rules: removePrivateRules(db, ids),
    removed: OF_ACCOUNT.map((table) => db.delete(table).where(inArray(table.account_id, accounts))),
    unheard: db.delete(placeChange).where(inArray(placeChange.sub_user_id, ids)),
  });
}

/** What is removed along with an account. */
const OF_ACCOUNT = [
  place,
  customField,
  entityLayout,
  zone,
  zoneOutline,
  rule,
  ruleZone,
  ruleTracker,
  ruleBook,
  tagBinding,
  removedTag,
  subUserBinding,
  subUserAccess,
  // Behind all whose removal is a change.
  placeChange,
  placeRevision,
];
