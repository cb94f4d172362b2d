import { z } from "zod";
import { FormTemplate, toTemplate } from "../../form/template/schema.ts";
import { operation } from "../../operation.ts";
import { AnyTask, toAny } from "../../task/any/schema.ts";
import { type Cursor, markOf, readCursor, written } from "./cursor.ts";
import { pageOf } from "./page.ts";
import { selectChanges } from "./queries.ts";

const EVERYTHING = { revision: 0, after: 0 };

export const pullSync = operation("/sync/pull", {
  summary: "What changed of the tasks and form templates that the caller sees since it asked last, page by page",
  reads: true,
  input: z.object({
    /** As the call before answered it. Without one everything is told. */
    cursor: z.string().max(100).nullable().default(null),
  }),
  output: z.object({
    /** Whether what the client has must go first: here begins everything. */
    reset: z.boolean(),
    tasks: z.array(AnyTask),
    form_templates: z.array(FormTemplate),
    /** Ids of what is there no more, or not for the caller. */
    removed: z.object({ tasks: z.array(z.int()), form_templates: z.array(z.int()) }),
    cursor: z.string(),
    /** Whether there is more already. */
    more: z.boolean(),
  }),
  errors: [],
  async run({ cursor: text }, { db, principal }) {
    const scope = await markOf(principal.scope);
    const given = text === null ? undefined : readCursor(text);
    const known = given?.scope === scope ? given : undefined;
    let changes = await selectChanges(db, principal, known ?? EVERYTHING);
    const isStale = known && (known.revision < changes.forgotten || known.revision > changes.revision);
    if (isStale) changes = await selectChanges(db, principal, EVERYTHING);
    const from = known && !isStale ? known : { ...EVERYTHING, revision: changes.revision, scope };
    const page = pageOf(changes, principal.scope);
    const next = nextOf(from, page);
    return {
      reset: from !== known,
      tasks: page.tasks.map(({ row, form }) => toAny({ ...row, form })),
      form_templates: page.templates.map(toTemplate),
      removed: from.after === null ? page.removed : NOTHING,
      cursor: written(next),
      more: !page.isLast || (next.after === null && next.revision < changes.revision),
    };
  },
});

export const operations = [pullSync];

const NOTHING = { tasks: [], form_templates: [] };

function nextOf(from: Cursor, { end, isLast }: Pick<ReturnType<typeof pageOf>, "end" | "isLast">): Cursor {
  if (from.after === null) return { ...from, revision: end ?? from.revision };
  return { ...from, after: isLast ? null : (end ?? from.after) };
}
