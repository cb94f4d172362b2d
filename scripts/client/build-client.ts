import { execFile } from "node:child_process";
import { copyFile, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import openapiTypes, { astToString } from "openapi-typescript";
import { apiDocument } from "../api-document.ts";
import { ROOT } from "../workers.ts";
import { isMadeOf, originOf, writeWhole } from "./origin.ts";

export const CLIENT = join(ROOT, "clients", "typescript");
const SOURCE = join(CLIENT, "src");
const OUTPUT = join(CLIENT, "dist");
/** The types of all operations; no part of the repository. */
export const API_TYPES = join(SOURCE, "api.d.ts");

/** Bundles the client and writes its types; answers the size of the bundle, and what the compiler refuses, if anything. */
export async function buildClient(): Promise<{ bytes: number; problems: string }> {
  await rm(OUTPUT, { recursive: true, force: true });
  await writeApiTypes();
  const [{ outputFiles, metafile }, problems] = await Promise.all([bundle(), emitTypes()]);
  if (outputFiles) throw new Error("The bundle was not written.");
  // A declaration file is not emitted, but the emitted ones import it.
  await copyFile(API_TYPES, join(OUTPUT, "api.d.ts"));
  const bundled = Object.entries(metafile.outputs).find(([path]) => path.endsWith(".js"));
  return { bytes: bundled?.[1].bytes ?? 0, problems };
}

/** Writes the types of all operations beside the sources of the client, if the API description has changed since. */
export async function writeApiTypes(): Promise<void> {
  // The document is of a type of its own, which the generator's is not.
  const described = JSON.stringify(apiDocument());
  const { version } = createRequire(import.meta.url)("openapi-typescript/package.json");
  const origin = originOf(described, version, await readFile(import.meta.filename, "utf8"));
  if (isMadeOf(API_TYPES, origin)) return;
  const types = astToString(await openapiTypes(described, { defaultNonNullable: false }));
  await writeWhole(API_TYPES, `// ${origin}\n${types}`);
}

function bundle() {
  return build({
    entryPoints: [join(SOURCE, "index.ts")],
    outfile: join(OUTPUT, "index.js"),
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    sourcemap: true,
    metafile: true,
  });
}

function emitTypes(): Promise<string> {
  const tsc = join(ROOT, "node_modules", "typescript-native", "bin", "tsc");
  const args = [tsc, "--project", CLIENT, "--noEmit", "false", "--declaration", "--emitDeclarationOnly"];
  return promisify(execFile)(process.execPath, args).then(
    () => "",
    ({ stdout }) => String(stdout),
  );
}
