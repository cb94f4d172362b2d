// npm run migration <service> <name>: writes the SQL that leads from the last migration to the tables as declared now;
// with `-- --custom` behind it an empty one, for what no table declares: triggers, indexes of text.
import { spawn } from "node:child_process";
import { join, relative } from "node:path";
import { folderOf, ROOT, WORKERS } from "./workers.ts";

const [service, name = "", ...options] = process.argv.slice(2);
const worker = WORKERS.find((known) => known === service);
if (!worker || !/^[a-z0-9_]+$/.test(name)) {
  console.error(`npm run migration <${WORKERS.join("|")}> <name_in_snake_case>`);
  process.exit(1);
}

const folder = relative(ROOT, folderOf(worker));
const args = [
  join(ROOT, "node_modules", "drizzle-kit", "bin.cjs"),
  "generate",
  "--dialect=turso",
  `--schema=${folder}/src/table/**/*.ts`,
  `--out=${folder}/migrations`,
  `--name=${name}`,
  ...options,
];
// It asks whether a column was renamed.
spawn(process.execPath, args, { cwd: ROOT, stdio: "inherit" }).on("exit", (code) => process.exit(code ?? 1));
