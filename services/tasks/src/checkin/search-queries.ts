import { and, gte, lte, type SQL, sql } from "drizzle-orm";
import type { SearchFields } from "#shared/database/conditions.ts";
import type { Sortable } from "#shared/database/order.ts";
import { among } from "#shared/database/scope.ts";
import { checkin } from "../table/checkin.ts";
import { form } from "../table/form/form.ts";
import { type Circle, isWithin } from "../task/search-queries.ts";

/**
 * An expression, because the joined column is null for a check-in without a form while the column itself is never null.
 */
const formLabel = sql`${form.label_folded}`;

/** The columns that check-ins can be sorted by, under the names of the public API. */
export const SORTABLE: Sortable = {
  employee: checkin.employee_folded,
  tracker_id: checkin.tracker_id,
  marker_time: checkin.marker_time,
  location: checkin.address_folded,
  comment: checkin.comment_folded,
  form: formLabel,
  employee_fullname: checkin.employee_folded,
  address: checkin.address_folded,
  form_label: formLabel,
};

/** The columns that search conditions can name. */
export const SEARCH_FIELDS: SearchFields = {
  employee: { kind: "entity", id: checkin.employee_id, folded: checkin.employee_folded },
  tracker_id: { kind: "number", column: checkin.tracker_id },
  marker_time: { kind: "moment", column: checkin.marker_time },
  location: { kind: "text", folded: checkin.address_folded },
  comment: { kind: "text", folded: checkin.comment_folded },
  form: { kind: "entity", id: form.template_id, folded: form.label_folded },
};

export type Filters = { trackers: number[] | null; from?: number; to?: number; location?: Circle };

/** Filters that are not given restrict nothing. */
export function matchFilters({ trackers, from, to, location }: Filters): SQL | undefined {
  return and(
    trackers ? among(checkin.tracker_id, trackers) : undefined,
    from === undefined ? undefined : gte(checkin.marker_time, from),
    // Callers give whole seconds: the last second counts to its end.
    to === undefined ? undefined : lte(checkin.marker_time, to + 999),
    location ? isWithin(location, checkin) : undefined,
  );
}
