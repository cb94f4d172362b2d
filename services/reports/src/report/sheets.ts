import { getStored } from "#shared/bucket/stored-format.ts";
import type { ReportsEnv } from "../env.ts";
import type { Chart } from "../layout/chart.ts";
import type { NamedValue, Sheet } from "../layout/sheet.ts";
import type { ReportRow } from "../table/report.ts";
import { RecentTexts } from "./recent-texts.ts";
import { parseSheet, serializeSheet } from "./sheet-text.ts";
import { type SectionSources, sourcesOf, withoutSources } from "./sources.ts";

/** The sheet of a subject, null if it is hidden, with its charts and its line of the summary. */
export type SheetResult = { sheet: Sheet | null; charts: Chart[]; line: SummaryLine };
/** The line of a tracker or employee in the summary. */
export type SummaryLine = { header: string; subject_id: number; summary: NamedValue[] };

type ReportRef = Pick<ReportRow, "id" | "account_id">;

/** The ids of the employees or trackers that the report is about; each has a sheet. */
export function subjectsOf({ request: { trackers, employees = [] } }: Pick<ReportRow, "request">): number[] {
  return employees.length > 0 ? employees : trackers;
}

/** The prefix of all objects of a report in the bucket. */
export function folderOf({ id, account_id }: ReportRef) {
  return `report/${account_id}/${id}/`;
}

/**
 * Stores a sheet as the text that `retrieve` answers. Evidence, charts and the summary line are stored apart, because
 * few calls read them.
 */
export async function putSheet(
  row: ReportRow,
  name: SheetName,
  { sheet, charts, line }: SheetResult,
  { BUCKET }: ReportsEnv,
) {
  const sources = sheet?.sections.map(sourcesOf) ?? [];
  await Promise.all([
    sheet && BUCKET.put(keyOf(row, name), serializeSheet(removeSources(sheet)), AS_SHEET),
    hasSummary(row) && BUCKET.put(keyOf(row, name, "line"), JSON.stringify(line), AS_SHEET),
    sheet && charts.length > 0 && BUCKET.put(keyOf(row, name, "charts"), JSON.stringify(charts), AS_SHEET),
    sheet && BUCKET.put(keyOf(row, name, "sources"), JSON.stringify(sources), AS_SHEET),
  ]);
}

export async function readLine(
  row: ReportRow,
  index: number,
  { BUCKET }: ReportsEnv,
): Promise<SummaryLine | undefined> {
  return (await readPart(row, index, BUCKET, "line"))?.json<SummaryLine>();
}

/**
 * The texts of the sheets, one after the other, the summary first. `first` is the text of the first subject's sheet, if
 * it was read already.
 */
export async function* readSheetTexts(
  row: ReportRow,
  { BUCKET }: Pick<ReportsEnv, "BUCKET">,
  first?: string,
): AsyncGenerator<string> {
  for (const name of namesOf(row)) {
    if (name === FIRST_SHEET && first !== undefined) yield first;
    else {
      const stored = await readPart(row, name, BUCKET);
      if (stored) yield await stored.text();
    }
  }
}

/**
 * The first subject's sheet, unless it is large. It is read while the owner is checked, so callers must not answer it
 * before. It never changes once the report is finished, so it is cached.
 */
export async function readFirstText(
  report: ReportRef,
  { BUCKET }: Pick<ReportsEnv, "BUCKET">,
): Promise<string | undefined> {
  const key = keyOf(report, FIRST_SHEET);
  const recent = RECENT_TEXTS.get(key);
  if (recent !== undefined) return recent;
  const stored = await getStored(BUCKET, key, SHEET_FORMAT);
  if (stored && stored.size <= MAX_BYTES_AT_ONCE) return stored.text();
  await stored?.body.cancel();
  return undefined;
}

export function cacheFirstText(report: ReportRef, text: string) {
  RECENT_TEXTS.store(keyOf(report, FIRST_SHEET), text);
}

/** Whether the sheets of a report have more than `maxBytes` bytes. */
export async function isLarger(
  row: ReportRow,
  maxBytes: number,
  { BUCKET }: Pick<ReportsEnv, "BUCKET">,
): Promise<boolean> {
  let bytes = 0;
  for (let cursor: string | undefined, more = true; more && bytes <= maxBytes; ) {
    const page = await BUCKET.list({ prefix: folderOf(row), cursor });
    for (const { key, size } of page.objects) if (!/\.(sources|charts)\.json$/.test(key)) bytes += size;
    more = page.truncated;
    cursor = page.truncated ? page.cursor : undefined;
  }
  return bytes > maxBytes;
}

/** Whether the report has exactly one sheet. */
export function isSingle(row: ReportRow): boolean {
  return namesOf(row).length === 1;
}

export async function* readSheets(row: ReportRow, env: ReportsEnv): AsyncGenerator<Sheet> {
  for await (const text of readSheetTexts(row, env)) yield parseSheet(text);
}

/** Sheets with their charts. */
export async function* readIllustratedSheets(
  row: ReportRow,
  { BUCKET }: ReportsEnv,
): AsyncGenerator<{ sheet: Sheet; charts: Chart[] }> {
  for (const name of namesOf(row)) {
    const [stored, storedCharts] = await Promise.all([
      readPart(row, name, BUCKET),
      readPart(row, name, BUCKET, "charts"),
    ]);
    if (stored) yield { sheet: parseSheet(await stored.text()), charts: (await storedCharts?.json<Chart[]>()) ?? [] };
  }
}

/** Sheets with their evidence. */
export async function* readExplainedSheets(row: ReportRow, { BUCKET }: ReportsEnv) {
  for (const name of namesOf(row)) {
    const [stored, sources] = await Promise.all([readPart(row, name, BUCKET), readPart(row, name, BUCKET, "sources")]);
    if (stored)
      yield { sheet: parseSheet(await stored.text()), sources: (await sources?.json<SectionSources[]>()) ?? [] };
  }
}

type SheetName = number | "summary";

function namesOf(row: ReportRow): SheetName[] {
  const indexes = subjectsOf(row).map((_, index) => index);
  return hasSummary(row) ? ["summary", ...indexes] : indexes;
}

function hasSummary(row: ReportRow) {
  return row.sheets > subjectsOf(row).length;
}

type SheetPart = "line" | "sources" | "charts";

function readPart(report: ReportRef, name: SheetName, bucket: R2Bucket, part?: SheetPart) {
  return getStored(bucket, keyOf(report, name, part), SHEET_FORMAT);
}

function keyOf(report: ReportRef, name: SheetName, part?: SheetPart) {
  return `${folderOf(report)}${name}${part ? `.${part}` : ""}.json`;
}

function removeSources(sheet: Sheet): Sheet {
  return { ...sheet, sections: sheet.sections.map(withoutSources) };
}

/** JSON: a sheet as `serializeSheet` writes it, or its evidence, charts or summary line. */
const SHEET_FORMAT = { format: "report-sheet", version: "1" };
const AS_SHEET = { customMetadata: SHEET_FORMAT };
const FIRST_SHEET = 0;
/** Larger sheets are streamed. */
const MAX_BYTES_AT_ONCE = 1_000_000;
/** Limits characters, which take up to two bytes each. */
const RECENT_TEXTS = new RecentTexts(4_000_000);
