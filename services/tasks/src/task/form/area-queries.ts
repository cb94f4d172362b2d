import { and, eq, type SQL, sql } from "drizzle-orm";
import type { AreasAround } from "#shared/contract/point/area.ts";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { type AddressedPosition, form } from "../../table/form/form.ts";

/** Submitted forms of tasks whose areas are not known yet, round robin over accounts. */
export function selectFormsWithoutAreas(db: Database, maxForms: number) {
  const next = selectDueByAccount({ table: form, isWaiting: HAS_NO_AREAS, isDue: sql`TRUE`, order: sql`id` }, maxForms);
  const { id, account_id, revision } = form;
  return db
    .select({
      id,
      account_id,
      revision,
      location: sql<AddressedPosition>`${form.submit_location}`.mapWith(form.submit_location),
    })
    .from(form)
    .where(sql`${form.id} IN (${next})`);
}
export type FormWithoutAreas = Awaited<ReturnType<typeof selectFormsWithoutAreas>>[number];

/** Stores the areas of the forms; a form that was submitted again meanwhile is skipped. */
export async function storeAreas(db: Database, resolved: { form: FormWithoutAreas; areas: AreasAround }[]) {
  const rows = resolved.map(({ form: { id, revision }, areas }) => ({ id, revision, areas }));
  const isOfRow = and(eq(form.id, selectMember("id")), eq(form.revision, selectMember("revision")), HAS_NO_AREAS);
  // The revision stays, because callers cannot change these columns.
  await db.run(sql`UPDATE ${form} SET submit_areas = resolved.value -> 'areas',
    bytes = bytes + octet_length(resolved.value -> 'areas')
    FROM json_each(${JSON.stringify(rows)}) AS resolved WHERE ${isOfRow}`);
}

function selectMember(name: string): SQL {
  return sql`resolved.value ->> ${sql.raw(`'${name}'`)}`;
}

const HAS_NO_AREAS = sql`task_id IS NOT NULL AND submit_location IS NOT NULL AND submit_areas IS NULL`;
