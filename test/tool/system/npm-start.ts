import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { freePorts } from "../../../scripts/system/free-ports.ts";
import { type Recorded, readRecorded } from "../../../scripts/system/processes.ts";
import { ROOT } from "../../../scripts/workers.ts";
import { waitUntil } from "../wait.ts";
import { newDataFolder } from "./data-folder.ts";

type Running = { process: ChildProcess; output(): string; ended: Promise<unknown[]> };
export type Installation = Awaited<ReturnType<typeof newInstallation>>;

/** A data folder and a port of a test's own, on which it runs `npm start` as often as it likes. */
export async function newInstallation(environment: Record<string, string> = {}) {
  const dataDir = await newDataFolder("start");
  const [port] = await freePorts(1);
  const origin = `http://127.0.0.1:${port}`;
  let running: Running | undefined;
  return {
    port,
    dataDir,
    baseUrl: `${origin}/api-v2`,
    isRunning: () => running !== undefined,
    /** Runs `npm start`, and resolves once it is ready. */
    async start(more: Record<string, string> = {}) {
      running = await start({ PORT: String(port), DATA_DIR: dataDir, ...environment, ...more });
    },
    /** The output since the last start. */
    output: () => running?.output() ?? "",
    /** Sends the signal, and answers the exit code. */
    async end(signal: NodeJS.Signals) {
      running?.process.kill(signal);
      return this.ended();
    },
    async ended() {
      const [code] = (await running?.ended) ?? [];
      running = undefined;
      return code;
    },
    /** `npm start` itself first, then all that it has started. */
    recorded: () => readRecorded(join(dataDir, "processes.json")),
    find,
    kill(command: string) {
      const found = find(command);
      // Process 0 would stand for the tests themselves.
      if (found.pid === 0) throw new Error(`Nothing runs that is called "${command}".`);
      process.kill(found.pid, "SIGKILL");
      return found;
    },
    isReplaced: (killed: Recorded, command: string) => ![0, killed.pid].includes(find(command).pid),
    /** The status of `/health`; undefined while nobody answers. */
    async health() {
      const answer = await fetch(`${origin}/health`).catch(() => undefined);
      return answer?.status;
    },
    async remove() {
      if (running) await this.end("SIGTERM");
      await rm(dataDir, { recursive: true, force: true });
    },
  };

  function find(command: string): Recorded {
    const found = readRecorded(join(dataDir, "processes.json")).find(({ identity }) => identity.includes(command));
    return found ?? { pid: 0, identity: command };
  }
}

async function start(environment: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, [join(ROOT, "scripts", "run.mjs"), "start"], {
    env: { ...process.env, ...environment },
  });
  const ended = once(child, "exit");
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += part));
  const isReady = () => /^ready /m.test(output);
  await waitUntil("npm start is ready or has ended", () => isReady() || child.exitCode !== null);
  if (!isReady()) throw new Error(output);
  return { process: child, output: () => output, ended };
}
