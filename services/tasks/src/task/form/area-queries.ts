import { and, eq, type SQL, sql } from "drizzle-orm";
import type { AreasAround } from "#shared/contract/area.ts";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { form, type Spot } from "../../table/form.ts";

/** Forms of which nobody knows yet what held the place where they were submitted, accounts in turn. */
export function selectUnnamed(db: Database, most: number) {
  const next = selectDueByAccount({ table: form, isWaiting: IS_UNNAMED, isDue: sql`TRUE`, order: sql`id` }, most);
  const { id, account_id, revision } = form;
  return db
    .select({ id, account_id, revision, location: sql<Spot>`${form.submit_location}`.mapWith(form.submit_location) })
    .from(form)
    .where(sql`${form.id} IN (${next})`);
}
export type UnnamedForm = Awaited<ReturnType<typeof selectUnnamed>>[number];

/** One that was submitted anew meanwhile stays as it is. */
export async function nameForms(db: Database, named: { form: UnnamedForm; areas: AreasAround }[]) {
  const rows = named.map(({ form: { id, revision }, areas }) => ({ id, revision, areas }));
  const isOfRow = and(eq(form.id, member("id")), eq(form.revision, member("revision")), IS_UNNAMED);
  // Nothing that callers change is changed: the revision stays.
  await db.run(sql`UPDATE ${form} SET submit_areas = named.value -> 'areas',
    bytes = bytes + octet_length(named.value -> 'areas')
    FROM json_each(${JSON.stringify(rows)}) AS named WHERE ${isOfRow}`);
}

function member(name: string): SQL {
  return sql`named.value ->> ${sql.raw(`'${name}'`)}`;
}

const IS_UNNAMED = sql`task_id IS NOT NULL AND submit_location IS NOT NULL AND submit_areas IS NULL`;
