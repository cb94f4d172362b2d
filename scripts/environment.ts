// npm run environment staging: writes an environment into the wrangler.toml of each Worker, or brings it up to date.
import { readFile, writeFile } from "node:fs/promises";
import { requireEnvironmentName, withEnvironment } from "./deploy/environment.ts";
import { configOf, WORKERS } from "./workers.ts";

const [name = ""] = process.argv.slice(2);
try {
  requireEnvironmentName(name);
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error} Example: npm run environment staging`);
  process.exit(1);
}
for (const worker of WORKERS) {
  const file = configOf(worker);
  await writeFile(file, withEnvironment(await readFile(file, "utf8"), name));
}
console.log(`Environment ${name}: npm run deploy -- --env ${name}`);
