import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WORKERS } from "../workers.ts";
import { startDatabases } from "./sqld.ts";

test("startDatabases stops a server that does not react, by killing it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fleet-stop-"));
  const others = WORKERS.filter((worker) => worker !== "fleet").map((one) => `${one.toUpperCase()}_DB_URL`);
  const children: ChildProcess[] = [];
  const onStart = (message: unknown) => {
    children.push((message as { process: ChildProcess }).process); // as Node documents this channel
  };
  subscribe("child_process", onStart);
  try {
    const databases = await startDatabases(folder, Object.fromEntries(others.map((name) => [name, "http://unused"])));
    const [server] = children;
    server?.kill("SIGSTOP");
    await databases.stop();
    expect([children.length, server?.signalCode]).toEqual([1, "SIGKILL"]);
  } finally {
    unsubscribe("child_process", onStart);
    await rm(folder, { recursive: true });
  }
});
