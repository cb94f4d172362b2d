import * as z from "zod";
import type { Scope } from "#shared/caller/principal.ts";
import type { SyncCursor } from "#shared/contract/sync.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import type { TasksEnv } from "../../env.ts";
import { FormTemplate, toTemplate } from "../../form/template/schema.ts";
import { operation } from "../../operation.ts";
import { AnyTask, toAnyTask } from "../../task/any/schema.ts";
import { type Cursor, markScope, readCursor, writeCursor } from "./cursor.ts";
import { toPage } from "./page.ts";
import { type Changes, selectChanges } from "./queries.ts";

export const pullSync = operation("/sync/pull", {
  summary: "The changes of the tasks, form templates and places that the caller sees since its previous call, in pages",
  reads: true,
  expensive: true,
  input: z.object({
    /** The cursor of the previous answer; null reads everything. */
    cursor: z.string().max(200).nullable().default(null),
  }),
  output: z.object({
    /** True: the client must delete what it has, because this is the first page of everything. */
    reset: z.boolean(),
    tasks: z.array(AnyTask),
    form_templates: z.array(FormTemplate),
    /** Shaped as `place/read` answers them. */
    places: z.array(z.looseObject({ id: z.int() })),
    /** Ids that no longer exist, or that the caller no longer sees. */
    removed: z.object({ tasks: z.array(z.int()), form_templates: z.array(z.int()), places: z.array(z.int()) }),
    cursor: z.string(),
    /** True when another page is available now. */
    more: z.boolean(),
  }),
  errors: [],
  async run({ cursor: text }, call) {
    const scope = await markScope(call.principal);
    const position = text === null ? undefined : readCursor(text);
    const known = position?.scope === scope ? position : undefined;
    const page = (known && (await readPage(known, call))) ?? (await readPage(undefined, call));
    if (!page) throw new ApiError(14);
    const { work, places, reset } = page;
    return {
      reset,
      tasks: work.tasks.map(({ row, form }) => toAnyTask({ ...row, form })),
      form_templates: work.templates.map(toTemplate),
      places: places.places,
      removed: { ...work.removed, places: places.removed },
      cursor: writeCursor({ work: work.next, places: places.next, scope }),
      more: work.more || places.more,
    };
  },
});

export const operations = [pullSync];

/** Undefined when changes since the cursor have been deleted; the client must then read everything again. */
async function readPage(cursor: Cursor | undefined, { db, env, principal }: Call<TasksEnv>) {
  const [changes, places] = await Promise.all([
    selectChanges(db, principal, cursor?.work ?? { revision: 0, after: 0 }),
    env.GEO.changedPlaces(principal, cursor?.places ?? null),
  ]);
  const from = cursor?.work ?? { revision: changes.revision, after: 0 };
  if (!places || from.revision < changes.forgotten || from.revision > changes.revision) return undefined;
  return { work: toWorkPage(changes, from, principal.scope), places, reset: cursor === undefined };
}

/** The page of tasks and templates, and its cursor. */
function toWorkPage(changes: Changes, { revision, after }: SyncCursor, scope: Scope) {
  const { end, isLast, ...page } = toPage(changes, scope);
  const next: SyncCursor =
    after === null ? { revision: end ?? revision, after } : { revision, after: isLast ? null : (end ?? after) };
  const more = !isLast || (next.after === null && next.revision < changes.revision);
  return { ...page, removed: after === null ? page.removed : NOTHING_REMOVED, next, more };
}

const NOTHING_REMOVED = { tasks: [], form_templates: [] };
