import { WorkerEntrypoint } from "cloudflare:workers";
import type { LiveUpdate, SocketHub as SocketDeskContract } from "#shared/contract/live.ts";
import type { GatewayEnv } from "../env.ts";

/** Where geo tells sockets what is new. No public route leads here. */
export class SocketDesk extends WorkerEntrypoint<GatewayEnv> implements SocketDeskContract {
  async deliver(sockets: string[], news: LiveUpdate): Promise<string[]> {
    const tells = sockets.map(async (socket) => {
      // One that fails may be there all the same.
      const listens = await this.env.SOCKETS.getByName(socket)
        .tell(news)
        .catch(() => true);
      return listens ? [] : [socket];
    });
    return (await Promise.all(tells)).flat();
  }
}
