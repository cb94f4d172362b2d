import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { freePorts } from "../../scripts/system/free-ports.ts";
import { listenOnLoopback } from "./listen.ts";

/** Linux gives this port and higher ones to outgoing connections, and to servers that ask for any port. */
const FIRST_GIVEN_PORT = 32_768;

test("a port from listenOnLoopback stays with its server while the server is closed", async () => {
  const server = createServer();
  const port = await listenOnLoopback(server);
  server.close();
  await once(server, "close");

  await expect(freePorts(1, { first: port, end: port + 1 })).rejects.toThrow();
  expect(port).toBeLessThan(FIRST_GIVEN_PORT);

  await once(server.listen(port, "127.0.0.1"), "listening");
  server.close();
});
