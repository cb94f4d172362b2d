// npm test: every test, or with arguments those whose path contains them; `--changed`, or `--changed=main`, those that a
// change since then touches; other flags are Vitest's.
import { execFileSync, spawn } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { emptyLargeCache } from "./compile-cache.ts";
import { importGraph } from "./import-graph.ts";
import { touchedTests } from "./touched-tests.ts";
import { ROOT } from "./workers.ts";

const commandLine = process.argv.slice(2);
requireMatches(commandLine);
const since = commandLine.map((argument) => /^--changed(?:=(.+))?$/.exec(argument)).find((match) => match);
if (since) {
  const tests = touchedTests(
    changedSince(since[1] ?? "HEAD"),
    importGraph("{gateway,services,shared,scripts,test}/**/*.ts"),
  );
  if (tests?.length === 0) console.log("No test is touched.");
  else run([...(tests ?? []), ...commandLine.filter((argument) => argument !== since[0])]);
} else {
  run(commandLine);
}

/** Ends with a sentence where a path matches no test: Vitest would say so after a list of all its filters. */
function requireMatches(args: string[]) {
  const tests = globSync("{gateway,services,shared,scripts,test}/**/*.test.ts", { cwd: ROOT });
  // An argument behind a flag may be its value.
  const paths = args.filter((argument, index) => !argument.startsWith("-") && !args[index - 1]?.startsWith("-"));
  for (const path of paths) {
    const part = path.replace(/^\.\//, "");
    if (tests.some((test) => join(ROOT, test).includes(part))) continue;
    console.error(`No test matches ${path}.`);
    process.exit(1);
  }
}

function run(args: string[]) {
  const vitest = join(ROOT, "node_modules", "vitest", "vitest.mjs");
  // Node keeps the JavaScript that it makes of TypeScript there: each process that runs tests loads 1,300 files.
  const cache = join(ROOT, ".build", "compile-cache");
  emptyLargeCache(cache);
  const env = { ...process.env, NODE_COMPILE_CACHE: cache };
  const child = spawn(process.execPath, [vitest, "run", ...args], { cwd: ROOT, env, stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  child.on("exit", (code) => process.exit(code ?? 1));
}

/** Files that git knows, and those that it does not know yet. */
function changedSince(commit: string): string[] {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).split("\n");
  const changed = [...git("diff", "--name-only", commit), ...git("ls-files", "--others", "--exclude-standard")];
  return changed.filter((file) => file !== "");
}
