import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { OPERATOR } from "../../bench/tool/stack.ts";
import { isAlive, type Recorded, readRecorded } from "../../scripts/system/processes.ts";
import { ROOT } from "../../scripts/workers.ts";

/** A data folder and a port of the campaign's own, for `npm start`, and a hold on each of its processes. */
export class Installation {
  readonly dataDir: string;
  readonly origin: string;
  /** Output of all starts. */
  log = "";
  readonly #port: number;
  #running: ChildProcess | undefined;

  constructor(dataDir: string) {
    this.dataDir = dataDir;
    // Below the ports that the system assigns: no other program takes it between two starts.
    this.#port = randomInt(20_000, 32_000);
    this.origin = `http://127.0.0.1:${this.#port}`;
    // However this process ends.
    process.once("exit", () => {
      this.#running?.kill("SIGKILL");
      for (const { pid } of this.#readProcesses().filter(isAlive)) process.kill(pid, "SIGKILL");
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    });
  }

  /** Resolves once it is ready. */
  async start() {
    const child = spawn(process.execPath, [join(ROOT, "scripts", "run.mjs"), "start"], {
      env: { ...process.env, ...ENVIRONMENT, PORT: String(this.#port), DATA_DIR: this.dataDir },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#running = child;
    const before = this.log.length;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (part) => {
        this.log += part;
      });
    }
    while (!/^ready /m.test(this.log.slice(before))) {
      if (child.exitCode !== null) throw new Error(`The system did not start:\n${this.log.slice(before)}`);
      await pause(50);
    }
  }

  kill(command: string): Recorded | undefined {
    const found = this.#find(command);
    if (found) process.kill(found.pid, "SIGKILL");
    return found;
  }

  /** The first of them would start the others again. */
  async killAll() {
    const ended = this.#running && once(this.#running, "exit");
    for (const { pid } of this.#readProcesses()) process.kill(pid, "SIGKILL");
    await ended;
  }

  hold(command: string) {
    this.#signal(command, "SIGSTOP");
  }

  release(command: string) {
    this.#signal(command, "SIGCONT");
  }

  /** Whether another process has taken the place of the killed one. */
  isReplaced(command: string, killed: Recorded | undefined): boolean {
    const found = this.#find(command);
    return found !== undefined && found.pid !== killed?.pid;
  }

  async isHealthy(): Promise<boolean> {
    const signal = AbortSignal.timeout(5_000);
    const answer = await fetch(`${this.origin}/health`, { signal }).catch(() => undefined);
    await answer?.body?.cancel().catch(() => undefined);
    return answer?.ok === true;
  }

  /** Memory of workerd; undefined while it restarts. */
  residentBytes(): number | undefined {
    const found = this.#find(RUNTIME);
    return found && residentBytes(found.pid);
  }

  async stop() {
    const running = this.#running;
    if (running?.exitCode === null && running.signalCode === null && running.kill("SIGTERM")) {
      await once(running, "exit");
    }
  }

  #readProcesses() {
    return readRecorded(join(this.dataDir, "processes.json"));
  }

  #find(command: string): Recorded | undefined {
    return this.#readProcesses().find(({ identity }) => identity.includes(command));
  }

  #signal(command: string, name: NodeJS.Signals) {
    const found = this.#find(command);
    if (!found) throw new Error(`No process is recorded for ${command}.`);
    process.kill(found.pid, name);
  }
}

export async function newInstallation(): Promise<Installation> {
  return new Installation(await mkdtemp(join(tmpdir(), "fleet-soak-")));
}

/** Parts of the commands by which the processes are found. */
export const RUNTIME = "workerd serve";
export function databaseOf(worker: string) {
  return `/databases/${worker} `;
}

/** Undefined where the process has just ended. */
function residentBytes(pid: number): number | undefined {
  try {
    // A small Linux has no ps.
    const kilobytes =
      process.platform === "linux"
        ? /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
        : execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
    return kilobytes ? Number(kilobytes) * 1024 : undefined;
  } catch {
    return undefined;
  }
}

/** Neither a rate nor a plan is to refuse anything: what is refused for a limit's sake would hide what is lost. */
const ENVIRONMENT = {
  DEMO: "0",
  OPERATOR_LOGIN: OPERATOR.login,
  OPERATOR_PASSWORD: OPERATOR.password,
  RATE_LIMIT_PER_SECOND: "1000000",
  RATE_LIMIT_PER_ADDRESS: "1000000",
};
