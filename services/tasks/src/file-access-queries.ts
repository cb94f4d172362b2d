import { and, eq, isNull, or, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { isThere } from "#shared/database/rows.ts";
import { isVisibleCheckin } from "./checkin/queries.ts";
import { isVisibleForm } from "./form/queries.ts";
import { checkin } from "./table/checkin.ts";
import { file } from "./table/file.ts";
import { form } from "./table/form/form.ts";

/**
 * Whether the caller may see the file: through a form that it sees, or through a check-in, which takes the right
 * `employee_update`.
 */
export async function isFileVisible(db: Database, principal: Principal, id: number, now: number): Promise<boolean> {
  const { account_id, rights } = principal;
  const isOfForm = isThere(form, isVisibleForm(principal, eq(form.id, file.form_id)));
  const isOfCheckin = isThere(checkin, isVisibleCheckin(principal, now, eq(checkin.id, file.checkin_id)));
  const found = await db
    .select({ id: file.id })
    .from(file)
    .where(
      and(
        eq(file.account_id, account_id),
        eq(file.id, id),
        eq(file.state, "uploaded"),
        // A file that expires belongs to nothing: it is not submitted yet, or no longer.
        isNull(file.expires),
        or(isOfForm, rights.includes("employee_update") ? isOfCheckin : sql`FALSE`),
      ),
    )
    .get();
  return found !== undefined;
}
