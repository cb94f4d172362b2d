import * as z from "zod";
import type { Principal } from "#shared/caller/principal.ts";
import { MAX_PICTURES } from "#shared/contract/file/table-document.ts";
import { requireTrackers } from "#shared/contract/tracker/visible-tracker.ts";
import { countTexts, matchConditions, searchConditions } from "#shared/database/conditions.ts";
import { orderBy, sortOptions } from "#shared/database/order.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { retryOutdated } from "#shared/database/steps.ts";
import { readAllRows } from "#shared/document/read-all-rows.ts";
import { renderTable } from "#shared/document/render-table.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import { boundedByCode, dateTime } from "#shared/operation/fields.ts";
import { fileAnswer } from "#shared/operation/file-answer.ts";
import { type ListWindow, listAnswer, type Page, pageAt, serializePages } from "#shared/operation/list-answer.ts";
import { requireClosedSpan } from "#shared/time/span.ts";
import type { TasksEnv } from "../env.ts";
import { CHECKIN_FEATURE } from "../links/checkin.ts";
import { operation } from "../operation.ts";
import { searchCircle } from "../search-circle.ts";
import { checkin as table } from "../table/checkin.ts";
import { toCheckinDocument } from "./document.ts";
import { readUnusedForm } from "./form/queries.ts";
import { insertCheckins } from "./insert-queries.ts";
import { toNewCheckin } from "./new-checkin.ts";
import { MAX_ROWS_PER_PAGE, removeCheckins, requireCheckin, selectFirstPage, selectPage } from "./queries.ts";
import { Checkin, CheckinInput, type PublicCheckin, toCheckin } from "./schema.ts";
import { matchFilters, SEARCH_FIELDS, SORTABLE } from "./search-queries.ts";

const MAX_SORT_OPTIONS = 6;
const MAX_TRACKERS = 10_000;
const MAX_DELETED_CHECKINS = 1000;

export const createCheckin = operation("/checkin/create", {
  summary: "Creates a check-in at a position, with uploaded photos and an issued form",
  right: "checkin_update",
  feature: CHECKIN_FEATURE,
  input: CheckinInput,
  output: z.object({ id: z.int() }),
  errors: [7, 201, 236, 242, 268],
  async run(input, { db, env, principal, clock, actor }) {
    const { tracker_id, form_submission } = input;
    const id = await retryOutdated(async () => {
      const [[tracker], form] = await Promise.all([
        env.FLEET.staffedTrackers(principal, [tracker_id]),
        form_submission ? readUnusedForm(db, principal, form_submission.form_id) : undefined,
      ]);
      const checkin = toNewCheckin(input, { tracker, form }, { time: actor.action_date, zone: clock.zone });
      return onlyRow(await insertCheckins(db, principal, [checkin], actor));
    });
    return { id };
  },
});

export const readCheckin = operation("/checkin/read", {
  summary: "A check-in with its files",
  right: "employee_update",
  reads: true,
  input: z.object({ checkin_id: z.int() }),
  output: z.object({ value: Checkin }),
  errors: [7, 204],
  async run({ checkin_id }, { db, env, principal, clock, request: { base_url } }) {
    const row = await requireCheckin(db, principal, checkin_id, clock.now());
    return { value: toCheckin(row, await readFiles(env, principal, [row], base_url)) };
  },
});

export const listCheckins = operation("/checkin/list", {
  summary: "The check-ins that the caller sees, searched, sorted and in pages, or as a document",
  right: "employee_update",
  feature: CHECKIN_FEATURE,
  reads: true,
  reply: ["json", "pdf", "xlsx"],
  expensive: { with: "format" },
  input: z.object({
    /** Ids of trackers; null means all that the caller sees. */
    trackers: boundedByCode(z.array(z.int()), MAX_TRACKERS).nullable().default(null),
    from: dateTime().optional(),
    to: dateTime().optional(),
    conditions: searchConditions(),
    sort: sortOptions(SORTABLE, MAX_SORT_OPTIONS),
    location: searchCircle(),
    offset: z.int().min(0).default(0),
    limit: z.int().min(0).optional(),
    /** An empty or missing format answers JSON. */
    format: z.enum(["pdf", "xlsx", ""]).nullable().default(null),
  }),
  output: z.object({ list: z.array(Checkin), count: z.int() }),
  errors: [7, 211, 217, 221, 267],
  async run({ format, conditions, sort, limit, offset, ...filters }, call) {
    const { db, env, principal, clock, request } = call;
    const { trackers, from, to } = filters;
    if (trackers && trackers.length > MAX_TRACKERS) throw new ApiError(221);
    if (from !== undefined && to !== undefined && to <= from) throw invalid("to", "must be after from");
    requireClosedSpan(filters, env.MAX_SPANS, "checkins", clock.zone);
    const condition = [
      matchFilters(filters),
      matchConditions(conditions?.map(parseCondition) ?? null, SEARCH_FIELDS, clock),
    ];
    const search = {
      condition,
      now: clock.now(),
      texts: countTexts(conditions?.map(parseCondition) ?? null),
      order: orderBy(sort, SORTABLE, table.id),
    };
    const [{ rows, count }] = await Promise.all([
      selectFirstPage(db, principal, { ...search, limit, offset }),
      trackers ? requireSearchedTrackers(env, principal, trackers) : undefined,
    ]);
    const read = async (window: ListWindow) => selectPage(db, principal, { ...search, ...window });
    const page = pageAt(
      rows,
      { limit, offset },
      { size: MAX_ROWS_PER_PAGE, read, toItem: (row: PublicCheckin) => row },
    );
    if (format) return renderDocument(page, format, call);
    const shown = await addFiles(page, env, principal, request.base_url);
    return listAnswer({ count }, serializePages(Checkin, shown, clock));
  },
});

export const deleteCheckins = operation("/checkin/delete", {
  summary: "Deletes check-ins with their files and forms: all of them, or none",
  right: "checkin_update",
  input: z.object({ checkin_ids: z.array(z.int()).min(1).max(MAX_DELETED_CHECKINS) }),
  output: z.object({}),
  errors: [7, 201],
  async run({ checkin_ids }, { db, principal, actor }) {
    await removeCheckins(db, principal, checkin_ids, actor);
    return {};
  },
});

export const operations = [createCheckin, readCheckin, listCheckins, deleteCheckins];

/** Parses a condition that was sent as JSON text; other conditions stay as they are. */
function parseCondition(condition: unknown): unknown {
  if (typeof condition !== "string") return condition;
  try {
    return JSON.parse(condition);
  } catch {
    return condition;
  }
}

async function requireSearchedTrackers({ FLEET }: TasksEnv, principal: Principal, trackers: number[]) {
  requireTrackers((await FLEET.linksOf(principal, trackers, [])).trackers, trackers, CHECKIN_FEATURE);
}

async function readFiles({ FILES }: TasksEnv, { account_id }: Principal, rows: PublicCheckin[], base_url: string) {
  const ids = rows.flatMap(({ file_ids }) => file_ids);
  const files = ids.length > 0 ? await FILES.filesOf({ account_id, ids, base_url }) : [];
  return new Map(files.map((file) => [file.id, file]));
}

async function addFiles(
  { items, next }: Page<PublicCheckin>,
  env: TasksEnv,
  principal: Principal,
  base_url: string,
): Promise<Page<Checkin>> {
  const files = await readFiles(env, principal, items, base_url);
  return {
    items: items.map((row) => toCheckin(row, files)),
    next: next && (async () => addFiles(await next(), env, principal, base_url)),
  };
}

async function renderDocument(page: Page<PublicCheckin>, format: "pdf" | "xlsx", call: Call<TasksEnv>) {
  const { env, principal, clock } = call;
  const rows = await readAllRows(page, "limit");
  const ids = [...new Set(rows.map(({ tracker_id }) => tracker_id))];
  const photos = rows.flatMap(({ file_ids }) => file_ids).slice(0, MAX_PICTURES);
  const { account_id, locale } = principal;
  const [{ trackers }, previews] = await Promise.all([
    env.FLEET.linksOf(principal, ids, []),
    photos.length > 0 ? env.FILES.previewsOf({ account_id, ids: photos, side: 200 }) : [],
  ]);
  const labels = new Map(trackers.map(({ tracker_id, label }) => [tracker_id, label]));
  const document = toCheckinDocument({ rows, labels, previews }, locale, clock);
  const file = await renderTable(document, format, call);
  return fileAnswer(file, `${document.title} ${document.subtitle}`, format, true);
}
