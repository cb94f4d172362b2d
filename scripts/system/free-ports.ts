import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Ports of 127.0.0.1 that nobody listens on and that no call, in this process or another one, was given before: each stays
 * reserved until this process ends, also while nothing listens on it. They are from `first` on and below `end`.
 */
export async function freePorts(count: number, { first, end } = RANGE): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => freePort(first, end)));
}

async function freePort(first: number, end: number): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(first, end);
    if ((await reserve(port)) && (await isUnused(port))) return port;
  }
  throw new Error(`No port from ${first} to ${end - 1} is free.`);
}

/** Holds the port of the same number for datagrams, which a server of ours never uses: the system gives it to one process. */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket("udp4").unref();
  socket.bind({ port, address: "127.0.0.1", exclusive: true });
  const isReserved = await isDone(once(socket, "listening"));
  if (!isReserved) socket.close();
  return isReserved;
}

async function isUnused(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  const isHeld = await isDone(once(server, "listening"));
  if (isHeld) await new Promise((resolve) => server.close(resolve));
  return isHeld;
}

function isDone(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/**
 * Below those that systems give to connections on their way out: one of them could have the port before the server that it
 * is meant for. Above 10080, the last port that `fetch` refuses to call.
 */
const RANGE = { first: 10_100, end: 30_000 };
const ATTEMPTS = 100;
