import type { Principal } from "#shared/caller/principal.ts";
import type { TaggedPage, TaggedSearch } from "#shared/contract/tag.ts";
import { openDatabase } from "#shared/database/open.ts";
import { serializePages } from "#shared/operation/list-answer.ts";
import { clockOf } from "#shared/time/clock.ts";
import type { TasksEnv } from "../env.ts";
import { selectTagged as selectTaggedSchedules } from "../schedule/any/queries.ts";
import type { TaggedEntity } from "../table/tag/tag-binding.ts";
import { AnyTask, toAnyTask } from "../task/any/schema.ts";
import { selectTagged } from "../task/list-queries.ts";

/** A page of tasks or schedules that carry all of the tags, written for the caller of the search. */
export async function taggedWith(
  env: TasksEnv,
  principal: Principal,
  { type, tag_ids, after, iso }: TaggedSearch<TaggedEntity>,
): Promise<TaggedPage> {
  const clock = clockOf(env, principal.time_zone, iso);
  const db = openDatabase(env);
  if (type === "task_schedule") {
    return selectTaggedSchedules(db, principal, tag_ids, after);
  }
  const { rows, isLast } = await selectTagged(db, principal, tag_ids, after);
  const { items } = serializePages(AnyTask, { items: rows.map(toAnyTask) }, clock);
  return { items, after: isLast ? undefined : rows.at(-1)?.id };
}
