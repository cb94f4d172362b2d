// npm run check: types, style and the API description, at the same time.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiDocument } from "./api-document.ts";
import { CLIENT, writeApiTypes } from "./client/build-client.ts";
import { CONSOLE } from "./console/build-console.ts";
import { ROOT } from "./workers.ts";

const folder = await mkdtemp(join(tmpdir(), "fleet-check-"));
const description = join(folder, "openapi.json");
await Promise.all([writeFile(description, JSON.stringify(apiDocument())), writeApiTypes()]);

// With more threads each looks at most types again: it takes longer on two cores.
const checkTypes = run("typescript-native", "bin", "tsc");
const codes = await Promise.all([
  checkTypes("--noEmit", "--singleThreaded"),
  checkTypes("--noEmit", "--singleThreaded", "--project", CLIENT),
  checkTypes("--noEmit", "--singleThreaded", "--project", CONSOLE),
  run("@biomejs", "biome", "bin", "biome")("check"),
  run("@redocly", "cli", "bin", "cli.js")("lint", description, "--format", "codeframe", "--max-problems", "20"),
]);
await rm(folder, { recursive: true });
process.exit(codes.every((code) => code === 0) ? 0 : 1);

function run(...program: string[]) {
  // Else the linter of descriptions looks for a newer version of itself on the Internet.
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  return async (...args: string[]) => {
    const path = join(ROOT, "node_modules", ...program);
    const [code] = await once(spawn(process.execPath, [path, ...args], { cwd: ROOT, env, stdio: "inherit" }), "exit");
    return code;
  };
}
