import { WorkerEntrypoint } from "cloudflare:workers";
import type { LiveUpdate, SocketHub as SocketHubContract } from "#shared/contract/live.ts";
import type { GatewayEnv } from "../env.ts";

/** Where geo tells sockets what is new. No public route leads here. */
export class SocketHub extends WorkerEntrypoint<GatewayEnv> implements SocketHubContract {
  async deliver(sockets: string[], update: LiveUpdate): Promise<string[]> {
    const deliveries = sockets.map(async (socket) => {
      // One that fails may be there all the same.
      const listens = await this.env.SOCKETS.getByName(socket)
        .deliver(update)
        .catch(() => true);
      return listens ? [] : [socket];
    });
    return (await Promise.all(deliveries)).flat();
  }
}
