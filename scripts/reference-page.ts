import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { folderOf, ROOT } from "./workers.ts";

/** Where the reports Worker's wrangler.toml says that its static files are. */
const BUILT = join(ROOT, ".build", "reference");
const OWN = join(folderOf("reports"), "reference");
const LIBRARY = join(ROOT, "node_modules", "@scalar", "api-reference");

/**
 * Puts the page of the API reference together: ours, and the library's files for browsers. Browsers keep what has the
 * version in its address for ever, so each change of a file of ours makes another version.
 */
export async function buildReferencePage() {
  const [html, script, library] = await Promise.all([
    readFile(join(OWN, "index.html"), "utf8"),
    readFile(join(OWN, "page.js"), "utf8"),
    readFile(join(LIBRARY, "package.json"), "utf8"),
  ]);
  const { version: release }: { version: string } = JSON.parse(library);
  const version = `${release}-${createHash("sha256").update(script).digest("hex").slice(0, 8)}`;
  const page = html.replaceAll("VERSION", version);
  if (existsSync(join(BUILT, version)) && (await readFile(join(BUILT, "index.html"), "utf8")) === page) return;

  // Beside it first: an interrupted build leaves the last page whole.
  const fresh = `${BUILT}.${process.pid}`;
  const folder = join(fresh, version);
  const browser = join(LIBRARY, "dist", "browser");
  await mkdir(join(folder, "chunks"), { recursive: true });
  await writeFile(join(fresh, "index.html"), page);
  await writeFile(join(folder, "page.js"), script);
  const chunks = (await readdir(join(browser, "chunks"))).filter((file) => file.endsWith(".js"));
  for (const file of ["standalone.esm.js", ...chunks.map((chunk) => join("chunks", chunk))])
    await cp(join(browser, file), join(folder, file));
  await rm(BUILT, { recursive: true, force: true });
  await rename(fresh, BUILT).catch(async (error) => {
    // Another start was faster.
    if (!existsSync(join(BUILT, version))) throw error;
    await rm(fresh, { recursive: true });
  });
}
