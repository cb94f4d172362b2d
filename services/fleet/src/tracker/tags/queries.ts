import { and, eq, exists } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { visibleTo } from "#shared/database/scope.ts";
import type { Binding } from "#shared/database/tag-binding/queries.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { recording } from "../../outbox/audit.ts";
import { source } from "../../table/source.ts";
import { tracker } from "../../table/tracker.ts";
import { rebind, tagsExist } from "../../tag/binding-queries.ts";

/** A batch begins with what changes: the record of the tags is written only where they are. */
export async function setTags(db: Database, principal: Principal, id: number, bindings: Binding[], actor: Actor) {
  const visible = visibleTo(principal, { account_id: tracker.account_id, tracker_id: tracker.id }, eq(tracker.id, id));
  const known = db
    .select({ blocked: source.blocked })
    .from(tracker)
    .innerJoin(source, eq(source.id, tracker.source_id))
    .where(visible);
  const usable = exists(
    db
      .select({ id: tracker.id })
      .from(tracker)
      .innerJoin(source, eq(source.id, tracker.source_id))
      .where(and(visible, eq(source.blocked, false))),
  );
  const changes = and(usable, tagsExist(principal, bindings));
  const payload = { tags: bindings.map(({ tag_id }) => tag_id) };
  const [recorded, , , [found]] = await db.batch([
    recording(db, actor, { is: ["tracker", "tags"], entry_id: id, payload }, changes).returning(),
    ...rebind(db, principal, "tracker", id, bindings, changes),
    known,
  ]);
  if (recorded.length > 0) return;
  if (!found) throw new ApiError(201);
  if (found.blocked) throw new ApiError(208);
  throw invalid("tag_bindings", `names a tag that does not exist`);
}
