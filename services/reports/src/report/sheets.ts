import type { ReportsEnv } from "../env.ts";
import type { NamedValue, Sheet } from "../layout/sheet.ts";
import type { ReportRow } from "../table/report.ts";

/** As it is kept: what `retrieve` shows, and its line in the summary. */
export type KeptSheet = { sheet: Sheet | null; header: string; tracker_id: number; summary: NamedValue[] };

type Kept = Pick<ReportRow, "id" | "account_id">;

/** Where all is kept that was made for a report. */
export function folderOf({ id, account_id }: Kept) {
  return `report/${account_id}/${id}/`;
}

export function sheetKey(report: Kept, index: number) {
  return `${folderOf(report)}${index}.json`;
}

export function summaryKey(report: Kept) {
  return `${folderOf(report)}summary.json`;
}

/** One after the other, the summary first: never all of them in memory. */
export async function* sheetsOf(row: ReportRow, { BUCKET }: ReportsEnv): AsyncGenerator<Sheet> {
  const { trackers } = row.request;
  const keys = [
    ...(row.sheets > trackers.length ? [summaryKey(row)] : []),
    ...trackers.map((_, index) => sheetKey(row, index)),
  ];
  for (const key of keys) {
    const kept = await (await BUCKET.get(key))?.json<KeptSheet>();
    if (kept?.sheet) yield kept.sheet;
  }
}
