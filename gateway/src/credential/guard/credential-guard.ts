import { DurableObject } from "cloudflare:workers";
import type { Principal } from "#shared/caller/principal.ts";
import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { GatewayEnv } from "../../env.ts";
import { takeOne, type Window } from "./fixed-window.ts";
import type { Admission, Guard } from "./guard.ts";
import { loadPrincipal } from "./principal-queries.ts";
import { refreshEach } from "./refresh.ts";

/** One object per credential: who calls and whether too often, in one answer. */
export class CredentialGuard extends DurableObject<GatewayEnv> implements Guard {
  // In memory on purpose: an evicted object loads again, and a window lasts a second.
  #principal: Promise<Loaded | undefined> | undefined;
  #loadedAt = 0;
  #window: Window | undefined;

  /** `key` is the keyed hash that also names this object. */
  async admit(key: string, known: string | undefined): Promise<Admission> {
    const now = nowMs(this.env);
    const policy = { limit: Number(this.env.RATE_LIMIT_PER_SECOND), windowMs: 1_000 };
    const { rate, window } = takeOne(this.#window, policy, now);
    this.#window = window;
    const loaded = await this.#current(key, now);
    if (!loaded) return { rate };
    return loaded.version === known ? { rate, version: known } : { rate, ...loaded };
  }

  async attach(key: string, socket: string): Promise<Admission & { hasRoom: boolean }> {
    const sockets = this.#sockets();
    const hasRoom = sockets.includes(socket) || sockets.length < Number(this.env.SOCKETS_PER_CREDENTIAL);
    // Kept before the credential is looked up: whatever changes it from then on tells the socket.
    if (hasRoom && !sockets.includes(socket)) this.#keepSockets([...sockets, socket]);
    const admission = await this.admit(key, undefined);
    if (!admission.principal) await this.detach(socket);
    return { ...admission, hasRoom };
  }

  async detach(socket: string): Promise<void> {
    this.#keepSockets(this.#sockets().filter((name) => name !== socket));
  }

  async principal(key: string): Promise<Principal | undefined> {
    return this.#current(key, nowMs(this.env)).then((loaded) => loaded?.principal);
  }

  /** A load begun earlier is dropped too. */
  async refresh(): Promise<void> {
    this.#principal = undefined;
    const refreshed = this.#sockets().map((name) => this.env.SOCKETS.getByName(name).refresh());
    // A socket closes where it cannot find out what it may still hear; what has no object any more has no client.
    await Promise.allSettled(refreshed);
  }

  async refreshAll(keys: string[]): Promise<void> {
    await refreshEach(this.env, keys);
  }

  async #current(key: string, now: number): Promise<Loaded | undefined> {
    // Should the database have stored a change without our hearing of it, nobody told this object.
    if (now - this.#loadedAt > MOST_AGE_MS) this.#principal = undefined;
    const loaded = await (this.#principal ?? this.#load(key, now));
    return loaded && now < loaded.principal.expires_at ? loaded : undefined;
  }

  #sockets(): string[] {
    return this.ctx.storage.kv.get<string[]>("sockets") ?? [];
  }

  #keepSockets(names: string[]) {
    if (names.length > 0) this.ctx.storage.kv.put("sockets", names);
    else this.ctx.storage.kv.delete("sockets");
  }

  #load(key: string, now: number) {
    this.#loadedAt = now;
    const loading = loadPrincipal(openDatabase(this.env), this.env, key).then(newVersion, (thrown) => {
      // A failed load is no answer to keep.
      if (this.#principal === loading) this.#principal = undefined;
      throw thrown;
    });
    this.#principal = loading;
    return loading;
  }
}

/** Known by no other name, in no other life of this object either. */
function newVersion(principal: Principal | undefined): Loaded | undefined {
  return principal && { principal, version: crypto.randomUUID() };
}

type Loaded = { principal: Principal; version: string };

const MOST_AGE_MS = MINUTE_MS;
