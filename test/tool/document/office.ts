import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

export const HAS_OFFICE = (process.env.PATH ?? "")
  .split(delimiter)
  .some((folder) => existsSync(join(folder, "soffice")));

/** The first sheet of a book, as LibreOffice reads it. */
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
