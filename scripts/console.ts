// npm run console: Vite's development server for the console, which reloads what changes. It passes calls on to the system
// at SYSTEM_URL, by default the address of `npm start`.
import { spawn } from "node:child_process";
import { CONSOLE, VITE } from "./console/build-console.ts";
import { ROOT } from "./workers.ts";

const child = spawn(process.execPath, [VITE, "serve", CONSOLE, ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
