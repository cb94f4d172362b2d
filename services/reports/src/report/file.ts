import { type FileFormat, TABLE_FORMATS } from "#shared/contract/file/table-document.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Position } from "#shared/geometry/position.ts";
import { MEDIA_TYPES } from "#shared/operation/media-type.ts";
import { writeLocal } from "#shared/time/clock.ts";
import type { ReportsEnv } from "../env.ts";
import { SizeGuard } from "../file/size.ts";
import { renderPieces } from "../format/pieces.ts";
import { readFont } from "../pdf/fonts.ts";
import type { ReportRow } from "../table/report.ts";
import { toReportDocument } from "./document.ts";
import { writerOf } from "./request.ts";
import { isLarger, readIllustratedSheets, readSheets } from "./sheets.ts";

export function requireFinished(row: ReportRow): ReportRow {
  if (row.state !== "finished") throw new ApiError(229);
  return row;
}

/** The formats of downloads. */
export const REPORT_FORMATS = [...TABLE_FORMATS, "csv"] as const;
type File = { body: ReadableStream<Uint8Array>; name: string; type: string };
/** `headless` omits title and contents; `zip` puts the file into an archive. */
type FileOptions = { format: FileFormat; headless: boolean; zip?: boolean };

/** Streams the file, which may exceed a Worker's memory. Throws 267 when it would take too long. */
export async function renderFile(
  row: ReportRow,
  { format, headless, zip = false }: FileOptions,
  env: ReportsEnv,
): Promise<File> {
  const name = `${row.title}.${format}`;
  const archive = { name: `${row.title}.zip`, type: "application/zip" };
  const pieces = await generateFile(row, { format, headless }, env);
  // A CSV has one table, so several become a ZIP.
  if (format === "csv" && row.sheets > 1) return { body: toStream(pieces), ...archive };
  if (!zip) return { body: toStream(pieces), name, type: MEDIA_TYPES[format] };
  const { streamZip } = await import("../file/zip.ts");
  return { body: toStream(streamZip(name, pieces)), ...archive };
}

type Pieces = AsyncGenerator<Uint8Array>;

async function generateFile(row: ReportRow, { format, headless }: FileOptions, env: ReportsEnv): Promise<Pieces> {
  if (format === "xlsx" || format === "csv") await requireStreamable(row, env);
  const head = headless ? null : { title: row.title, subtitle: formatRange(row) };
  const sheets = format === "pdf" ? readIllustratedSheets(row, env) : readTables(row, format, env);
  const options = { writer: writerOf(row.request), mapAddress: createMapAddress(env) };
  const document = toReportDocument({ title: row.title, head, sheets }, options);
  if (format === "csv" && row.sheets > 1) {
    const { streamCsvZip } = await import("../file/csv.ts");
    return streamCsvZip(document.parts);
  }
  const headers = format === "pdf" ? await readHeaders(row, env) : [];
  return renderPieces(document, format, { headers, read: (file) => readFont(file, env.FONTS) });
}

/**
 * Reads the headers for the contents of a PDF, which precede the sheets. Sheets are read twice, so that only one is in
 * memory.
 */
async function readHeaders(row: ReportRow, env: ReportsEnv): Promise<string[]> {
  const headers: string[] = [];
  for await (const { sheet } of readTables(row, "pdf", env)) headers.push(sheet.header);
  return headers;
}

/** Sheets without charts. Throws 267 when they are too large for a format that is laid out as a whole. */
async function* readTables(row: ReportRow, format: FileFormat, env: ReportsEnv) {
  const guard = format === "pdf" || format === "xls" ? new SizeGuard(env.DOCUMENT_LIMITS, format) : undefined;
  for await (const sheet of readSheets(row, env)) {
    guard?.add(sheet);
    yield { sheet, charts: [] };
  }
}

async function requireStreamable(row: ReportRow, env: ReportsEnv) {
  const maxBytes = Number(env.STREAMED_BYTES);
  if (!(await isLarger(row, maxBytes, env))) return;
  const error = `takes at most ${maxBytes} bytes of a report; ask for fewer things or a shorter range`;
  throw new ApiError(267, { errors: [{ parameter: "format", error }] });
}

/** Replaces `{lat}` and `{lng}` by the position. */
function createMapAddress({ MAP_URL }: ReportsEnv) {
  return ({ lat, lng }: Position) => MAP_URL.replaceAll("{lat}", `${lat}`).replaceAll("{lng}", `${lng}`);
}

function toStream(pieces: Pieces): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = await pieces.next();
      if (piece.done) controller.close();
      else controller.enqueue(piece.value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

/** The report's range in the time zone of its reader. */
export function formatRange({ from, to, request }: Pick<ReportRow, "from" | "to" | "request">): string {
  const { time_zone } = request.locale_info;
  return [from, to].map((ms) => writeLocal(ms, time_zone)).join(" – ");
}
