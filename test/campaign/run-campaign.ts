// npm run campaign: the tests whose loops are short in `npm test`, at their full length, then the fuzz and soak programs.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { importGraph } from "../../scripts/import-graph.ts";
import { ROOT } from "../../scripts/workers.ts";
import { systemNow } from "../../shared/time/clock.ts";

const EFFORT = "test/tool/effort.ts";

const graph = importGraph("{gateway,services,shared,scripts,test}/**/*.test.ts");
const tests = [...graph].filter(([, imports]) => imports.has(EFFORT)).map(([file]) => file);
const parts: [string, string, string[]][] = [
  ["tests", "scripts/test", tests],
  ["fuzz", "test/campaign/run-fuzz", []],
  ["soak", "test/campaign/run-soak", []],
];

const results: string[] = [];
for (const [name, program, args] of parts) {
  const began = systemNow();
  const code = await run(program, args);
  results.push(`${code === 0 ? "ok  " : "FAIL"}  ${name}  ${Math.round((systemNow() - began) / 60_000)} min`);
  if (code !== 0) process.exitCode = 1;
}
console.log(results.join("\n"));

async function run(program: string, args: string[]): Promise<number | null> {
  const command = [join(ROOT, "scripts", "run.mjs"), program, ...args];
  const child = spawn(process.execPath, command, { stdio: "inherit", env: { ...process.env, CAMPAIGN: "1" } });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => child.kill(signal));
  const [code] = await once(child, "exit");
  return code;
}
