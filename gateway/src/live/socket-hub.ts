import type { LiveUpdate, SocketHub as SocketHubContract } from "#shared/contract/live.ts";
import { ServiceEntrypoint } from "#shared/operation/service-entrypoint.ts";
import type { GatewayEnv } from "../env.ts";

/** Delivers live updates of the geo service to sockets. No public route leads here. */
export class SocketHub extends ServiceEntrypoint<GatewayEnv> implements SocketHubContract {
  async deliver(sockets: string[], update: LiveUpdate): Promise<string[]> {
    const deliveries = sockets.map(async (socket) => {
      // A socket that fails may still be open: only those that answer false are reported as gone.
      const isOpen = await this.env.SOCKETS.getByName(socket)
        .deliver(update)
        .catch(() => true);
      return isOpen ? [] : [socket];
    });
    return (await Promise.all(deliveries)).flat();
  }
}
