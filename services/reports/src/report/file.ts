import { TABLE_FORMATS } from "#shared/contract/table-document.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { MEDIA_TYPES } from "#shared/operation/media-type.ts";
import { languageOf } from "#shared/text/language.ts";
import { writeLocal } from "#shared/time/clock.ts";
import type { ReportsEnv } from "../env.ts";
import type { Sheet } from "../layout/sheet.ts";
import type { ReportRow } from "../table/report.ts";
import { inTurn } from "../turn/turn.ts";
import { writerOf } from "./request.ts";
import { isLarger, sheetsOf } from "./sheets.ts";

export function requireFinished(row: ReportRow): ReportRow {
  if (row.state !== "finished") throw new ApiError(229);
  return row;
}

/** As what a report is downloaded. */
export const REPORT_FORMATS = [...TABLE_FORMATS, "csv"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];
type File = { body: Uint8Array | ReadableStream<Uint8Array>; name: string; type: string };

/** 15 while another file of the account is being made, 267 where it would take too long. */
export async function fileOf(
  row: ReportRow,
  { format, headless }: { format: ReportFormat; headless: boolean },
  env: ReportsEnv,
): Promise<File> {
  const [name, type] = [`${row.title}.${format}`, MEDIA_TYPES[format]];
  if (format === "pdf" || format === "xls")
    return { body: await writeFile(row, { format, headless }, env), name, type };
  if (format === "xlsx") return { body: await writeWorkbook(row, headless, env), name, type };
  const { csvOf, zippedCsvOf } = await import("../file/csv.ts");
  if (row.sheets === 1) return { body: await streamed(row, csvOf, env), name, type };
  return { body: await streamed(row, zippedCsvOf, env), name: `${row.title}.zip`, type: "application/zip" };
}

/** The same, of what is laid out in memory. */
export async function writeFile(
  row: ReportRow,
  { format, headless }: { format: "pdf" | "xls"; headless: boolean },
  env: ReportsEnv,
): Promise<Uint8Array> {
  // Imported when it is needed: only Workers can read its fonts, and declarations are read elsewhere too.
  const { writeReport } = await import("../file/write.ts");
  const { locale } = row.request.locale_info;
  const head = headless ? null : { title: row.title, subtitle: rangeOf(row) };
  const source = { head, title: row.title, sheets: sheetsOf(row, env) };
  const settings = { language: languageOf(locale), limits: env.DOCUMENT_LIMITS };
  const file = await inTurn(env.TURNS, row.account_id, () => writeReport(source, format, settings));
  if (!file) throw new ApiError(15);
  return file;
}

async function writeWorkbook(row: ReportRow, headless: boolean, env: ReportsEnv) {
  const { reportWorkbook } = await import("../file/workbook/of-report.ts");
  const head = headless ? null : { title: row.title, subtitle: rangeOf(row) };
  const write = (sheets: AsyncIterable<Sheet>) =>
    reportWorkbook({ head, title: row.title, sheets }, writerOf(row.request));
  return streamed(row, write, env);
}

type Write = (sheets: AsyncIterable<Sheet>) => AsyncGenerator<Uint8Array>;

/** As it is made, so that it may be larger than a Worker's memory; 267 where that would still take too long. */
async function streamed(row: ReportRow, write: Write, env: ReportsEnv): Promise<ReadableStream<Uint8Array>> {
  const most = Number(env.STREAMED_BYTES);
  if (await isLarger(row, most, env)) {
    const error = `takes at most ${most} bytes of a report; ask for fewer things or a shorter range`;
    throw new ApiError(267, { errors: [{ parameter: "format", error }] });
  }
  const turns = env.TURNS.getByName(String(row.account_id));
  const turn = await turns.begin();
  if (!turn) throw new ApiError(15);
  return bytesOf(write(sheetsOf(row, env)), () => turns.end(turn));
}

/** `end` once it was read, or nobody reads it any more. */
function bytesOf(pieces: AsyncGenerator<Uint8Array>, end: () => Promise<void>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = await pieces.next().catch(async (thrown) => {
        await end();
        throw thrown;
      });
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
