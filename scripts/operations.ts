// npm run operations: what the services declare, one `path service` a line; starts nothing.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { folderOf, WORKERS } from "./workers.ts";

for (const worker of WORKERS) {
  const file = join(folderOf(worker), "src", "operations.ts");
  if (!existsSync(file)) {
    console.error(`${worker} declares no operations: there is no ${file}.`);
    process.exitCode = 1;
    continue;
  }
  const { operations }: { operations: { path: string }[] } = await import(pathToFileURL(file).href);
  for (const { path } of operations) console.log(`${path} ${worker}`);
}
