import { rename } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { ROOT } from "../../../scripts/workers.ts";

const MODULE = join(ROOT, ".build", "test", "every-operation.mjs");

/**
 * Joins the declarations of all operations and what they import into one module, and answers its path. Each process of
 * tests needs them to check replies, and Vitest needs five seconds to resolve 1,200 modules, but a quarter for one.
 */
export async function bundleOperations(): Promise<string> {
  // Beside it first: another run may be reading the module.
  const fresh = `${MODULE}.${process.pid}`;
  await build({
    entryPoints: [join(import.meta.dirname, "every-operation.ts")],
    outfile: fresh,
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["cloudflare:*"],
    // CommonJS packages among them call `require` for modules of Node.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    logLevel: "error",
  });
  await rename(fresh, MODULE);
  return MODULE;
}
