// Writes what wrangler derives from the six wrangler.toml for a local run into the file that is its argument. A program
// of its own: wrangler takes more than 100 MB of memory, which a process that stays would keep.
import { writeFile } from "node:fs/promises";
import { configOf, forEachWorker } from "../workers.ts";

// A file .env would be stored with the options.
const quiet = { WRANGLER_SEND_METRICS: "false", WRANGLER_LOG: "error", CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: "false" };
Object.assign(process.env, quiet);
const { unstable_getMiniflareWorkerOptions } = await import("wrangler");

const options = await forEachWorker(async (worker) => {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(configOf(worker));
  // wrangler leaves out more than a Worker's source from this type: all of its members. The rules are for finding
  // modules, which the bundles list.
  const { modulesRules, ...others } = workerOptions as { modulesRules?: unknown };
  return others;
});
await writeFile(String(process.argv[2]), JSON.stringify(options));
