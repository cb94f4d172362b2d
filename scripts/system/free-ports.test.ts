import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePorts } from "./free-ports.ts";

/** Few enough that two callers would meet; below those that other tests are given. */
const RANGE = { first: 10_040, end: 10_080 };

test("freePorts reserves a port for its process: neither this one nor another one is given it again", async () => {
  const own = await freePorts(10, RANGE);
  const script = `import { freePorts } from ${JSON.stringify(join(import.meta.dirname, "free-ports.ts"))};
    console.log(JSON.stringify(await freePorts(10, ${JSON.stringify(RANGE)})));
    process.stdin.resume();`;
  const other = spawn(process.execPath, ["--input-type=module", "--eval", script]);
  try {
    const [printed] = await once(other.stdout, "data");
    const ports: number[] = [...own, ...JSON.parse(String(printed)), ...(await freePorts(10, RANGE))];
    expect(new Set(ports).size).toBe(30);
  } finally {
    other.kill();
  }
});

test("freePorts gives no port on which another program listens, and fails where none is left", async () => {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  await expect(freePorts(1, { first: port, end: port + 1 })).rejects.toThrow(
    `No port from ${port} to ${port} is free.`,
  );
  server.close();
});
