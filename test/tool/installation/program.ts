import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ROOT } from "../../../scripts/workers.ts";

export type Ended = { code: number | null; output: string };

/** Starts a program of the project as npm does; `before` is a line of shell that prepares its process, such as a limit. */
export function startProgram(
  name: string,
  args: string[],
  environment: Record<string, string>,
  before = "",
): ChildProcess {
  const command = [process.execPath, join(ROOT, "scripts", "run.mjs"), name, ...args];
  const shell = ["sh", "-c", `${before}\nexec "$@"`, "sh", ...command];
  const [program = "", ...rest] = before ? shell : command;
  return spawn(program, rest, { env: { ...process.env, ...environment } });
}

/** Runs such a program to its end. */
export async function runProgram(...program: Parameters<typeof startProgram>): Promise<Ended> {
  const child = startProgram(...program);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part) => (output += part));
  const [code] = await once(child, "close");
  return { code, output };
}
