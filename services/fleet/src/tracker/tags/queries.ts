import { eq, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demand, write } from "#shared/database/steps.ts";
import type { Binding } from "#shared/database/tag-binding/queries.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { recordChange } from "../../outbox/audit.ts";
import { source } from "../../table/tracker/source.ts";
import { replaceBindings, tagsExist } from "../../tag/binding-queries.ts";
import { isVisible } from "../origin-queries.ts";

/** Replaces the tags of a tracker. Recorded in the audit log even when nothing changes. */
export async function setTags(db: Database, principal: Principal, id: number, bindings: Binding[], actor: Actor) {
  const payload = { tags: bindings.map(({ tag_id }) => tag_id) };
  await write(db, {
    visible: demand(isVisible(principal, id), () => new ApiError(201)),
    open: demand(isVisible(principal, id, eq(source.blocked, false)), () => new ApiError(208)),
    existing: demand(tagsExist(principal, bindings), () => invalid("tag_bindings", `names a tag that does not exist`)),
    tags: replaceBindings(db, principal, "tracker", id, bindings, undefined),
    record: recordChange(db, actor, { is: ["tracker", "tags"], entry_id: id, payload }, sql`TRUE`),
  });
}
