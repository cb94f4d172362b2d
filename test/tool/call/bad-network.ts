import { connect, createServer, type Socket } from "node:net";
import { listenOnLoopback } from "../listen.ts";

/** How a connection ends: while the request is sent, once the answer begins, or within it. */
const CUTS = ["request", "answer", "within the answer"] as const;
/** A request that is cut ends after this many bytes. */
const REQUEST_BYTES = 50_000;

/** Starts a proxy before the server at `target` that cuts every third connection, at each place of `CUTS` in turn. */
export async function badNetwork(target: string) {
  const { hostname, port } = new URL(target);
  const [open, cuts] = [new Set<Socket>(), { request: 0, answer: 0, "within the answer": 0 }];
  let connections = 0;
  const server = createServer((client) => {
    connections++;
    const way = connections % 3 === 0 ? CUTS[(connections / 3) % CUTS.length] : undefined;
    const upstream = connect(Number(port), hostname);
    const end = () => {
      client.destroy();
      upstream.destroy();
      open.delete(client);
    };
    const cut = () => {
      if (way && open.has(client)) cuts[way]++;
      end();
    };
    open.add(client);
    let sent = 0;
    client.on("data", (bytes: Buffer) => {
      sent += bytes.length;
      // Half of a small request is sent: no server acts on that.
      const isOver = way === "request" && (sent > REQUEST_BYTES || sent === bytes.length);
      if (!isOver) return void upstream.write(bytes);
      upstream.write(bytes.subarray(0, bytes.length > REQUEST_BYTES ? REQUEST_BYTES : bytes.length >> 1), cut);
    });
    upstream.on("data", (bytes: Buffer) => {
      if (way === "answer") return cut();
      if (way !== "within the answer") return void client.write(bytes);
      client.write(bytes.subarray(0, bytes.length >> 1), cut);
    });
    upstream.on("end", () => client.end());
    for (const socket of [client, upstream]) socket.on("error", end).on("close", end);
  });
  const ownPort = await listenOnLoopback(server);
  return {
    origin: `http://127.0.0.1:${ownPort}`,
    cuts,
    close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
