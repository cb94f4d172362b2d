import { execFile } from "node:child_process";
import { copyFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import openapiTypes, { astToString } from "openapi-typescript";
import { apiDocument } from "../api-document.ts";
import { ROOT } from "../workers.ts";

export const CLIENT = join(ROOT, "clients", "typescript");
const SOURCE = join(CLIENT, "src");
const OUTPUT = join(CLIENT, "dist");

/** Bundles the client and writes its types; answers the size of the bundle, and what the compiler refuses, if anything. */
export async function buildClient(): Promise<{ bytes: number; problems: string }> {
  await rm(OUTPUT, { recursive: true, force: true });
  await writeApiTypes();
  const [{ outputFiles, metafile }, problems] = await Promise.all([bundle(), emitTypes()]);
  if (outputFiles) throw new Error("The bundle was not written.");
  // A declaration file is not emitted, but the emitted ones import it.
  await copyFile(join(SOURCE, "api.d.ts"), join(OUTPUT, "api.d.ts"));
  const bundled = Object.entries(metafile.outputs).find(([path]) => path.endsWith(".js"));
  return { bytes: bundled?.[1].bytes ?? 0, problems };
}

/** Writes the types of all operations, made from the API description, beside the sources of the client. */
export async function writeApiTypes(): Promise<void> {
  // The document is of a type of its own, which the generator's is not.
  const described = JSON.stringify(apiDocument());
  const types = astToString(await openapiTypes(described, { defaultNonNullable: false }));
  await writeFile(join(SOURCE, "api.d.ts"), types);
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
