import { clockOf } from "#shared/clock.ts";
import type { TaggedPage, TaggedSearch } from "#shared/contract/tag.ts";
import { openDatabase } from "#shared/database.ts";
import { writtenPages } from "#shared/list-answer.ts";
import type { Principal } from "#shared/principal.ts";
import type { TasksEnv } from "../env.ts";
import { AnyTask, toAny } from "../route/any.ts";
import { selectSchedules } from "../schedule/queries.ts";
import { taskSchedule } from "../schedule/table.ts";
import { selectTagged } from "../task/select.ts";
import { carriesAll } from "./queries.ts";
import type { Tagged } from "./table.ts";

/** A page of what carries all of the tags, as the caller of the search is to read it. */
export async function taggedWith(
  env: TasksEnv,
  principal: Principal,
  { type, tag_ids, after, iso }: TaggedSearch<Tagged>,
): Promise<TaggedPage> {
  const clock = clockOf(env, principal.time_zone, iso);
  const db = openDatabase(env);
  if (type === "task_schedule") {
    const carries = carriesAll(principal, type, taskSchedule.id, tag_ids);
    const { items, next } = await selectSchedules(db, principal, carries, after);
    return { items, after: next && items.at(-1)?.id };
  }
  const { rows, isLast } = await selectTagged(db, principal, tag_ids, after);
  const { items } = writtenPages(AnyTask, { items: rows.map(toAny) }, clock);
  return { items, after: isLast ? undefined : rows.at(-1)?.id };
}
