// npm run layout: writes the folders of the tree into docs/contributing.md, between its two marks.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, WORKERS } from "./workers.ts";

const DOCUMENT = join(ROOT, "docs", "contributing.md");
const MARKS = ["<!-- layout: npm run layout writes this -->", "<!-- end of layout -->"] as const;

/** The section as the tree is now: the contexts of each Worker, and the folders of the shared code and of the tests. */
export function layoutSection(): string {
  const rows = [
    ...WORKERS.map((worker) => (worker === "gateway" ? "gateway/src" : `services/${worker}/src`)),
    "shared",
    "test",
  ].map((folder) => `| \`${folder}\` | ${foldersOf(folder).join(" · ")} |`);
  return ["| In | Folders |", "|---|---|", ...rows].join("\n");
}

/** The section that the document has now. */
export function writtenSection(): string {
  const parts = readFileSync(DOCUMENT, "utf8").split(new RegExp(`${MARKS[0]}\n\n|\n\n${MARKS[1]}`));
  // Without its end mark the rest of the document would be replaced, too.
  if (parts.length !== 3) throw new Error(`${DOCUMENT} lacks one of ${MARKS.join(", ")}.`);
  return parts[1] ?? "";
}

/** The folders directly in this one that have files: git leaves empty ones behind when their files move. */
export function foldersOf(folder: string): string[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  const hasFiles = (name: string) =>
    readdirSync(join(ROOT, folder, name), { recursive: true, withFileTypes: true }).some((entry) => entry.isFile());
  return entries
    .filter((entry) => entry.isDirectory() && hasFiles(entry.name))
    .map(({ name }) => name)
    .sort();
}

if (import.meta.main) {
  const text = readFileSync(DOCUMENT, "utf8");
  writeFileSync(
    DOCUMENT,
    text.replace(writtenSection(), () => layoutSection()),
  );
}
