import { TABLE_FORMATS } from "#shared/contract/table-document.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { MEDIA_TYPES } from "#shared/operation/media-type.ts";
import { languageOf } from "#shared/text/language.ts";
import { writeLocal } from "#shared/time/clock.ts";
import type { ReportsEnv } from "../env.ts";
import { SizeGuard } from "../file/size.ts";
import type { Sheet } from "../layout/sheet.ts";
import type { ReportRow } from "../table/report.ts";
import { writerOf } from "./request.ts";
import { illustratedSheets, isLarger, sheetsOf } from "./sheets.ts";

export function requireFinished(row: ReportRow): ReportRow {
  if (row.state !== "finished") throw new ApiError(229);
  return row;
}

/** As what a report is downloaded. */
export const REPORT_FORMATS = [...TABLE_FORMATS, "csv"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];
type File = { body: ReadableStream<Uint8Array>; name: string; type: string };
/** `headless`: without title and contents; `zip`: in an archive. */
type Wishes = { format: ReportFormat; headless: boolean; zip?: boolean };

/**
 * As it is made, so that it may be larger than a Worker's memory. 15 while another file of the account is being made, 267
 * where it would take too long.
 */
export async function fileOf(
  row: ReportRow,
  { format, headless, zip = false }: Wishes,
  env: ReportsEnv,
): Promise<File> {
  const head = headless ? null : { title: row.title, subtitle: rangeOf(row) };
  const name = `${row.title}.${format}`;
  const archive = { name: `${row.title}.zip`, type: "application/zip" };
  // Several tables are no single CSV.
  if (format === "csv" && row.sheets > 1) return { body: await inTurn(row, () => csvFiles(row, env), env), ...archive };
  const pieces = () => PIECES[format](row, head, env);
  if (!zip) return { body: await inTurn(row, pieces, env), name, type: MEDIA_TYPES[format] };
  const { zipped } = await import("../file/zip.ts");
  return { body: await inTurn(row, async () => zipped(name, await pieces()), env), ...archive };
}

type Head = { title: string; subtitle: string } | null;
type Pieces = AsyncGenerator<Uint8Array>;

// Imported when they are needed: most calls are for no file.
const PIECES: Record<ReportFormat, (row: ReportRow, head: Head, env: ReportsEnv) => Promise<Pieces>> = {
  async pdf(row, head, env) {
    const { reportPages } = await import("../file/pages.ts");
    const { readFont } = await import("../pdf/fonts.ts");
    // Read twice, so that no more than one of them is in memory: the contents stand before the sheets.
    const headers: string[] = [];
    for await (const { header } of guarded(row, "pdf", env)) headers.push(header);
    const language = languageOf(row.request.locale_info.locale);
    const source = { head, title: row.title, headers, sheets: illustratedSheets(row, env) };
    return reportPages(source, { language, read: (file) => readFont(file, env.ASSETS), mapAddress: mapAddressOf(env) });
  },
  async xls(row, head, env) {
    const { writeBook } = await import("../file/book.ts");
    const sheets: Sheet[] = [];
    for await (const sheet of guarded(row, "xls", env)) sheets.push(sheet);
    const bytes = writeBook({ head, title: row.title, sheets }, languageOf(row.request.locale_info.locale));
    return only(bytes);
  },
  async xlsx(row, head, env) {
    await requireStreamable(row, env);
    const { reportWorkbook } = await import("../file/workbook/of-report.ts");
    const ways = { writer: writerOf(row.request), mapAddress: mapAddressOf(env) };
    return reportWorkbook({ head, title: row.title, sheets: sheetsOf(row, env) }, ways);
  },
  async csv(row, _, env) {
    await requireStreamable(row, env);
    const { csvOf } = await import("../file/csv.ts");
    return csvOf(sheetsOf(row, env));
  },
};

async function csvFiles(row: ReportRow, env: ReportsEnv): Promise<Pieces> {
  await requireStreamable(row, env);
  const { zippedCsvOf } = await import("../file/csv.ts");
  return zippedCsvOf(sheetsOf(row, env));
}

async function* guarded(row: ReportRow, format: "pdf" | "xls", env: ReportsEnv): AsyncGenerator<Sheet> {
  const guard = new SizeGuard(env.DOCUMENT_LIMITS, format);
  for await (const sheet of sheetsOf(row, env)) {
    guard.add(sheet);
    yield sheet;
  }
}

async function requireStreamable(row: ReportRow, env: ReportsEnv) {
  const most = Number(env.STREAMED_BYTES);
  if (!(await isLarger(row, most, env))) return;
  const error = `takes at most ${most} bytes of a report; ask for fewer things or a shorter range`;
  throw new ApiError(267, { errors: [{ parameter: "format", error }] });
}

/** `{lat}` and `{lng}` stand for the place. */
function mapAddressOf({ MAP_URL }: ReportsEnv) {
  return ({ lat, lng }: { lat: number; lng: number }) =>
    MAP_URL.replaceAll("{lat}", `${lat}`).replaceAll("{lng}", `${lng}`);
}

async function* only(bytes: Uint8Array): Pieces {
  yield bytes;
}

/** The turn lasts until the file was read, or nobody reads it any more. */
async function inTurn(row: ReportRow, begin: () => Promise<Pieces>, env: ReportsEnv) {
  const turns = env.TURNS.getByName(String(row.account_id));
  const turn = await turns.begin();
  if (!turn) throw new ApiError(15);
  const end = () => turns.end(turn);
  return bytesOf(await orEnd(begin(), end), end);
}

async function orEnd<Result>(work: Promise<Result>, end: () => Promise<void>): Promise<Result> {
  return work.catch(async (thrown) => {
    await end();
    throw thrown;
  });
}

function bytesOf(pieces: Pieces, end: () => Promise<void>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = await orEnd(pieces.next(), end);
      if (!piece.done) return controller.enqueue(piece.value);
      await end();
      controller.close();
    },
    async cancel() {
      await pieces.return(undefined);
      await end();
    },
  });
}

/** As the reader of the report has it. */
export function rangeOf({ from, to, request }: Pick<ReportRow, "from" | "to" | "request">): string {
  const { time_zone } = request.locale_info;
  return [from, to].map((ms) => writeLocal(ms, time_zone)).join(" – ");
}
