import { once } from "node:events";
import type { Server } from "node:net";
import { freePorts } from "../../scripts/system/free-ports.ts";

/**
 * Lets a server listen on a free port of loopback, and answers the port. The port stays reserved for it: once closed, the
 * server can listen on the same port again.
 */
export async function listenOnLoopback(server: Server): Promise<number> {
  const [port = 0] = await freePorts(1);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return port;
}
