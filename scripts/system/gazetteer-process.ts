import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { hasGazetteer } from "./gazetteer.ts";
import { endAtExit } from "./processes.ts";
import type { DatabaseServer } from "./sqld.ts";

/** The standard input of `load-gazetteer.ts`: arguments would be visible to every user of the machine. */
export type GazetteerOrder = { server: DatabaseServer; least: number };

/**
 * Does what `loadGazetteer` does, in a process that ends: reading the places takes hundreds of megabytes, which a process
 * that stays would keep.
 */
export async function loadGazetteerAside(server: DatabaseServer, least: number): Promise<void> {
  if (await hasGazetteer(server, least)) return;
  const program = join(import.meta.dirname, "load-gazetteer.ts");
  const child = spawn(process.execPath, [...process.execArgv, program], { stdio: ["pipe", "ignore", "pipe"] });
  endAtExit(child);
  const order: GazetteerOrder = { server, least };
  child.stdin.end(JSON.stringify(order));
  const [failure, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  if (code !== 0) throw new Error(failure.trim() || "The process that loads the gazetteer was ended.");
}
