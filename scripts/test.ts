// npm test: every test, or with arguments those whose path contains them; flags are Vitest's.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "./workers.ts";

const vitest = join(ROOT, "node_modules", "vitest", "vitest.mjs");
const child = spawn(process.execPath, [vitest, "run", ...process.argv.slice(2)], { cwd: ROOT, stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
