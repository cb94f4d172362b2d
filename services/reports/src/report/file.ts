import { type FileFormat, TABLE_FORMATS } from "#shared/contract/table-document.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { MEDIA_TYPES } from "#shared/operation/media-type.ts";
import { writeLocal } from "#shared/time/clock.ts";
import type { ReportsEnv } from "../env.ts";
import { SizeGuard } from "../file/size.ts";
import { piecesOf } from "../format/pieces.ts";
import { readFont } from "../pdf/fonts.ts";
import type { ReportRow } from "../table/report.ts";
import { reportDocument } from "./document.ts";
import { writerOf } from "./request.ts";
import { illustratedSheets, isLarger, sheetsOf } from "./sheets.ts";

export function requireFinished(row: ReportRow): ReportRow {
  if (row.state !== "finished") throw new ApiError(229);
  return row;
}

/** As what a report is downloaded. */
export const REPORT_FORMATS = [...TABLE_FORMATS, "csv"] as const;
type File = { body: ReadableStream<Uint8Array>; name: string; type: string };
/** `headless`: without title and contents; `zip`: in an archive. */
type Wishes = { format: FileFormat; headless: boolean; zip?: boolean };

/**
 * As it is made, so that it may be larger than a Worker's memory. 15 while another file of the account is being made, 267
 * where it would take too long.
 */
export async function fileOf(
  row: ReportRow,
  { format, headless, zip = false }: Wishes,
  env: ReportsEnv,
): Promise<File> {
  const name = `${row.title}.${format}`;
  const archive = { name: `${row.title}.zip`, type: "application/zip" };
  const made = () => madeAs(row, { format, headless }, env);
  // Several tables are no single CSV.
  if (format === "csv" && row.sheets > 1) return { body: await inTurn(row, made, env), ...archive };
  if (!zip) return { body: await inTurn(row, made, env), name, type: MEDIA_TYPES[format] };
  const { zipped } = await import("../file/zip.ts");
  return { body: await inTurn(row, async () => zipped(name, await made()), env), ...archive };
}

type Pieces = AsyncGenerator<Uint8Array>;

async function madeAs(row: ReportRow, { format, headless }: Wishes, env: ReportsEnv): Promise<Pieces> {
  if (format === "xlsx" || format === "csv") await requireStreamable(row, env);
  const head = headless ? null : { title: row.title, subtitle: rangeOf(row) };
  const sheets = format === "pdf" ? illustratedSheets(row, env) : tablesOf(row, format, env);
  const ways = { writer: writerOf(row.request), mapAddress: mapAddressOf(env) };
  const document = reportDocument({ title: row.title, head, sheets }, ways);
  if (format === "csv" && row.sheets > 1) {
    const { zippedCsvOf } = await import("../file/csv.ts");
    return zippedCsvOf(document.parts);
  }
  const headers = format === "pdf" ? await headersOf(row, env) : [];
  return piecesOf(document, format, { headers, read: (file) => readFont(file, env.ASSETS) });
}

/** For the contents of a PDF, which stand before the sheets: these are read twice, so that no more than one of them is in memory. */
async function headersOf(row: ReportRow, env: ReportsEnv): Promise<string[]> {
  const headers: string[] = [];
  for await (const { sheet } of tablesOf(row, "pdf", env)) headers.push(sheet.header);
  return headers;
}

/** Without charts; 267 where it is too much for a file that is laid out as a whole. */
async function* tablesOf(row: ReportRow, format: FileFormat, env: ReportsEnv) {
  const guard = format === "pdf" || format === "xls" ? new SizeGuard(env.DOCUMENT_LIMITS, format) : undefined;
  for await (const sheet of sheetsOf(row, env)) {
    guard?.add(sheet);
    yield { sheet, charts: [] };
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
