import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** The first sheet of a workbook as CSV, as LibreOffice reads it. */
export async function asCsv(book: Uint8Array, format: "xls" | "xlsx"): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fleet-office-"));
  try {
    await writeFile(join(folder, `book.${format}`), book);
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    const settings = ["--headless", profile, "--convert-to", "csv", "--outdir", folder];
    await promisify(execFile)("soffice", [...settings, join(folder, `book.${format}`)]);
    return await readFile(join(folder, "book.csv"), "utf8");
  } finally {
    await rm(folder, { recursive: true });
  }
}
