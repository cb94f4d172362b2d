import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import { KEYS_OF, SETTINGS_OF } from "../system/bindings.ts";
import { endAtExit } from "../system/processes.ts";
import { ROOT } from "../workers.ts";

type Environment = Record<string, string | undefined>;

const WRANGLER = join(ROOT, "node_modules", "wrangler", "bin", "wrangler.js");
/** Variables with secrets, or that may have some: no program that uploads needs them in its environment. */
const SECRETS = new Set([...Object.values(KEYS_OF), ...Object.values(SETTINGS_OF)].flat().map(String));
const isSecret = (name: string) => SECRETS.has(name) || /_DB_(URL|TOKEN)(_\d+)?$|^OPERATOR_PASSWORD$/.test(name);

/** The environment of a program that needs none of the installation's secrets. */
export function withoutSecrets(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isSecret(name)));
}

/** How wrangler is called: without questions, without looking for newer versions, without secrets in its environment. */
export function wranglerCommand(args: string[], environment: Environment) {
  return {
    program: process.execPath,
    args: [WRANGLER, ...args],
    env: {
      ...withoutSecrets(environment),
      CI: "true",
      NO_COLOR: "1",
      WRANGLER_SEND_METRICS: "false",
      WRANGLER_HIDE_BANNER: "true",
      // Its log would contain the requests of an upload.
      WRANGLER_WRITE_LOGS: "false",
      WRANGLER_LOG_SANITIZE: "true",
      // The sources of an upload are named on the command line: an environment of the shell must not choose another.
      CLOUDFLARE_ENV: "",
    },
  };
}

/**
 * Runs wrangler to its end and throws what it says about a failure. `secrets` go to its standard input, from where
 * `--secrets-file /dev/stdin` reads them: neither an argument nor a file holds them.
 */
export async function runWrangler(args: string[], environment: Environment, secrets?: Record<string, string>) {
  const { program, args: all, env } = wranglerCommand(args, environment);
  // A program can open /dev/stdin if it is a pipe; what Node gives to a child is a socket on Linux.
  const command = secrets ? ["/bin/sh", "-c", 'cat | exec "$@"', "sh", program, ...all] : [program, ...all];
  const [file = "", ...rest] = command;
  const child = spawn(file, rest, { cwd: ROOT, env, stdio: ["pipe", "pipe", "pipe"] });
  endAtExit(child);
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  // wrangler may fail before it has read its input.
  child.stdin.on("error", () => {});
  child.stdin.end(secrets ? JSON.stringify(secrets) : "");
  const [[code], [stdout, stderr]] = await Promise.all([once(child, "exit"), output]);
  if (code !== 0) throw new Error(`wrangler ${args.slice(0, 2).join(" ")} failed: ${explainFailure(stdout + stderr)}`);
}

/** The lines of an error without wrangler's decoration. */
function explainFailure(output: string) {
  const plain = stripVTControlCharacters(output);
  const message = plain.split(/[✘X] \[ERROR\] /).at(1) ?? plain;
  const lines = message.split("\n").map((line) => line.trim());
  return lines
    .filter((line) => line && !line.startsWith("🪵") && !/report this error/.test(line))
    .slice(0, 6)
    .join(" ");
}
