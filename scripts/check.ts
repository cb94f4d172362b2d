// npm run check: types and style, at the same time.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ROOT } from "./workers.ts";

const codes = await Promise.all([
  run("typescript-native", "bin", "tsc")("--noEmit"),
  run("@biomejs", "biome", "bin", "biome")("check"),
]);
process.exit(codes.every((code) => code === 0) ? 0 : 1);

function run(...program: string[]) {
  return async (...args: string[]) => {
    const path = join(ROOT, "node_modules", ...program);
    const [code] = await once(spawn(process.execPath, [path, ...args], { cwd: ROOT, stdio: "inherit" }), "exit");
    return code;
  };
}
