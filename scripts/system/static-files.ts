import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { BUILT_CONSOLE, BUILT_SOURCES } from "../console/build-console.ts";
import { folderOf, ROOT } from "../workers.ts";

/** The folder of static files in the gateway's wrangler.toml. */
const BUILT = join(ROOT, ".build", "static");
const OWN = join(folderOf("gateway"), "reference");
const LIBRARY = join(ROOT, "node_modules", "@scalar", "api-reference");
const FONTS = join(ROOT, "node_modules", "@embedpdf");
/** The names are those of `services/reports/src/pdf/fonts.ts`. */
export const FONT_FILES = [
  ...["fonts-latin/fonts/NotoSans-Regular.ttf", "fonts-latin/fonts/NotoSans-Bold.ttf"],
  ...["fonts-arabic/fonts/NotoNaskhArabic-Regular.ttf", "fonts-arabic/fonts/NotoNaskhArabic-Bold.ttf"],
  ...["fonts-hebrew/fonts/NotoSansHebrew-Regular.ttf", "fonts-hebrew/fonts/NotoSansHebrew-Bold.ttf"],
  ...["fonts-sc/fonts/NotoSansHans-Regular.otf", "fonts-kr/fonts/NotoSansKR-Regular.otf"],
].map((path) => join(FONTS, path));

/**
 * Puts the page of the API reference, the fonts of documents and the console together, where they have changed. The
 * console is absent until it was built once.
 */
export async function buildStaticFiles() {
  const stamp = await stampOf();
  const stampFile = join(BUILT, "stamp");
  if (existsSync(stampFile) && (await readFile(stampFile, "utf8")) === stamp) return;

  // Beside it first: an interrupted build leaves the last files whole.
  const fresh = `${BUILT}.${process.pid}`;
  await addReferencePage(join(fresh, "reference"));
  await mkdir(join(fresh, "fonts"));
  for (const file of FONT_FILES) await cp(file, join(fresh, "fonts", basename(file)));
  if (existsSync(BUILT_CONSOLE)) await cp(BUILT_CONSOLE, join(fresh, "console"), { recursive: true });
  await writeFile(join(fresh, "stamp"), stamp);
  // Moved aside, not deleted in place: a running system may be reading these files.
  const last = `${BUILT}.${process.pid}.last`;
  await rename(BUILT, last).catch(() => undefined);
  await rename(fresh, BUILT).catch(async (error) => {
    // Another start was faster.
    if (!existsSync(stampFile)) throw error;
    await rm(fresh, { recursive: true });
  });
  await rm(last, { recursive: true, force: true });
}

/** Identifies the sources of the files. */
async function stampOf(): Promise<string> {
  const { html, script, release } = await pageOf();
  const sizes = await Promise.all(FONT_FILES.map(async (file) => `${basename(file)} ${(await stat(file)).size}`));
  const consoleSources = await readFile(BUILT_SOURCES, "utf8").catch(() => "no console");
  return createHash("sha256")
    .update([html, script, release, ...sizes, consoleSources].join("\n"))
    .digest("hex");
}

/**
 * The page is ours, with the library's files for browsers, which keep what has the version in its address for ever: each
 * change of a file of ours makes another version.
 */
async function addReferencePage(to: string) {
  const { html, script, release } = await pageOf();
  const version = `${release}-${createHash("sha256").update(script).digest("hex").slice(0, 8)}`;
  const folder = join(to, version);
  const browser = join(LIBRARY, "dist", "browser");
  await mkdir(join(folder, "chunks"), { recursive: true });
  await writeFile(join(to, "index.html"), html.replaceAll("VERSION", version));
  await writeFile(join(folder, "page.js"), script);
  const chunks = (await readdir(join(browser, "chunks"))).filter((file) => file.endsWith(".js"));
  for (const file of ["standalone.esm.js", ...chunks.map((chunk) => join("chunks", chunk))])
    await cp(join(browser, file), join(folder, file));
}

async function pageOf() {
  const [html, script, library] = await Promise.all([
    readFile(join(OWN, "index.html"), "utf8"),
    readFile(join(OWN, "page.js"), "utf8"),
    readFile(join(LIBRARY, "package.json"), "utf8"),
  ]);
  const { version }: { version: string } = JSON.parse(library);
  return { html, script, release: version };
}
