import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { listenOnLoopback } from "../../test/tool/listen.ts";

export type Delayed = {
  url: string;
  /** Cuts all connections, and refuses new ones. */
  stop(): void;
  /** Accepts connections again, at the same address. */
  restart(): Promise<void>;
};

/** A proxy that delays everything sent to the server. */
export async function delayServer(url: string, ms: number): Promise<Delayed> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: hostname, port: Number(port), noDelay: true });
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on("data", (sent) => setTimeout(() => far.write(sent), ms));
    far.pipe(near);
  });
  const ownPort = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${ownPort}`,
    stop() {
      server.close();
      for (const socket of open) socket.destroy();
    },
    async restart() {
      server.listen(ownPort, "127.0.0.1");
      await once(server, "listening");
    },
  };
}
