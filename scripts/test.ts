// npm test: every test, or with arguments those whose path contains them; `--changed`, or `--changed=main`, those that a
// change since then touches; other flags are Vitest's.
import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { importGraph } from "./import-graph.ts";
import { touchedTests } from "./touched-tests.ts";
import { ROOT } from "./workers.ts";

const given = process.argv.slice(2);
const since = given.map((argument) => /^--changed(?:=(.+))?$/.exec(argument)).find((match) => match);
if (since) {
  const tests = touchedTests(
    changedSince(since[1] ?? "HEAD"),
    importGraph("{gateway,services,shared,scripts,test}/**/*.ts"),
  );
  if (tests?.length === 0) console.log("No test is touched.");
  else run([...(tests ?? []), ...given.filter((argument) => argument !== since[0])]);
} else {
  run(given);
}

function run(args: string[]) {
  const vitest = join(ROOT, "node_modules", "vitest", "vitest.mjs");
  const child = spawn(process.execPath, [vitest, "run", ...args], { cwd: ROOT, stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  child.on("exit", (code) => process.exit(code ?? 1));
}

/** Files that git knows, and those that it does not know yet. */
function changedSince(commit: string): string[] {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).split("\n");
  const changed = [...git("diff", "--name-only", commit), ...git("ls-files", "--others", "--exclude-standard")];
  return changed.filter((file) => file !== "");
}
