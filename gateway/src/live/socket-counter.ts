import { DurableObject } from "cloudflare:workers";
import { systemNow } from "#shared/time/clock.ts";
import type { GatewayEnv } from "../env.ts";
import type { OpenSockets } from "./open-sockets.ts";

/** One Durable Object per network and per user: the names of the sockets that it has open. */
export class SocketCounter extends DurableObject<GatewayEnv> implements OpenSockets {
  #checkedAt = 0;

  async add(socket: string, limit: number): Promise<boolean> {
    if (this.#names().includes(socket)) return true;
    if (this.#names().length >= limit) await this.#dropClosed();
    const names = this.#names();
    if (names.length >= limit) return false;
    this.ctx.storage.kv.put("sockets", [...names, socket]);
    return true;
  }

  async remove(socket: string): Promise<void> {
    this.#store(this.#names().filter((name) => name !== socket));
  }

  /** Drops sockets that ended with their process, at most once in `CHECK_INTERVAL_MS`: each of them is asked. */
  async #dropClosed() {
    if (this.#checkedAt + CHECK_INTERVAL_MS > systemNow()) return;
    this.#checkedAt = systemNow();
    const checks = this.#names().map(async (name) => {
      const isOpen = await this.env.SOCKETS.getByName(name)
        .isOpen()
        .catch(() => true);
      return isOpen ? [] : [name];
    });
    const closed = new Set((await Promise.all(checks)).flat());
    this.#store(this.#names().filter((name) => !closed.has(name)));
  }

  #names(): string[] {
    return this.ctx.storage.kv.get<string[]>("sockets") ?? [];
  }

  #store(names: string[]) {
    if (names.length > 0) this.ctx.storage.kv.put("sockets", names);
    else this.ctx.storage.kv.delete("sockets");
  }
}

const CHECK_INTERVAL_MS = 10_000;
