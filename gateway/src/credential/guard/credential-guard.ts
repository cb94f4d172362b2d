import { DurableObject } from "cloudflare:workers";
import type { Principal } from "#shared/caller/principal.ts";
import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { GatewayEnv } from "../../env.ts";
import { countCall, type RateWindow } from "./fixed-window.ts";
import type { Admission, Guard } from "./guard.ts";
import { loadPrincipal } from "./principal-queries.ts";
import { refreshEach } from "./refresh.ts";

/** One Durable Object per credential: answers the caller's principal and whether it calls too often, in one round trip. */
export class CredentialGuard extends DurableObject<GatewayEnv> implements Guard {
  // In memory on purpose: an evicted object loads the principal again, and a rate window lasts only a second.
  #principal: Promise<VersionedPrincipal | undefined> | undefined;
  #loadedAt = 0;
  #window: RateWindow | undefined;

  /** `key` is the keyed hash of the credential, which is also the name of this object. */
  async admit(key: string, knownVersion: string | undefined): Promise<Admission> {
    const now = nowMs(this.env);
    const policy = { limit: Number(this.env.RATE_LIMIT_PER_SECOND), windowMs: 1_000 };
    const { rate, window } = countCall(this.#window, policy, now);
    this.#window = window;
    const loaded = await this.#loadCurrent(key, now);
    if (!loaded) return { rate };
    return loaded.version === knownVersion ? { rate, version: knownVersion } : { rate, ...loaded };
  }

  async attach(key: string, socket: string): Promise<Admission & { isWithinLimit: boolean }> {
    const sockets = this.#sockets();
    const isWithinLimit = sockets.includes(socket) || sockets.length < Number(this.env.SOCKETS_PER_CREDENTIAL);
    // Stored before the principal is loaded: every later change of the credential then reaches the socket.
    if (isWithinLimit && !sockets.includes(socket)) this.#storeSockets([...sockets, socket]);
    const admission = await this.admit(key, undefined);
    if (!admission.principal) await this.detach(socket);
    return { ...admission, isWithinLimit };
  }

  async detach(socket: string): Promise<void> {
    this.#storeSockets(this.#sockets().filter((name) => name !== socket));
  }

  async principal(key: string): Promise<Principal | undefined> {
    return this.#loadCurrent(key, nowMs(this.env)).then((loaded) => loaded?.principal);
  }

  /** Also drops a load under way, which may have read the state before the change. */
  async refresh(): Promise<void> {
    this.#principal = undefined;
    const refreshed = this.#sockets().map((name) => this.env.SOCKETS.getByName(name).refresh());
    // Failures are ignored: a socket that cannot reload its rights closes itself, and an evicted one has no client.
    await Promise.allSettled(refreshed);
  }

  async refreshAll(keys: string[]): Promise<void> {
    await refreshEach(this.env, keys);
  }

  async #loadCurrent(key: string, now: number): Promise<VersionedPrincipal | undefined> {
    // A change may be stored although its answer was lost, and then no Worker refreshed this object.
    if (now - this.#loadedAt > MAX_AGE_MS) this.#principal = undefined;
    const loaded = await (this.#principal ?? this.#load(key, now));
    return loaded && now < loaded.principal.expires_at ? loaded : undefined;
  }

  #sockets(): string[] {
    return this.ctx.storage.kv.get<string[]>("sockets") ?? [];
  }

  #storeSockets(names: string[]) {
    if (names.length > 0) this.ctx.storage.kv.put("sockets", names);
    else this.ctx.storage.kv.delete("sockets");
  }

  #load(key: string, now: number) {
    this.#loadedAt = now;
    const loading = loadPrincipal(openDatabase(this.env), this.env, key).then(toVersioned, (thrown) => {
      // The next call must load again.
      if (this.#principal === loading) this.#principal = undefined;
      throw thrown;
    });
    this.#principal = loading;
    return loading;
  }
}

/** Adds a random version, so that no earlier instance of this object has used it for another principal. */
function toVersioned(principal: Principal | undefined): VersionedPrincipal | undefined {
  return principal && { principal, version: crypto.randomUUID() };
}

type VersionedPrincipal = { principal: Principal; version: string };

const MAX_AGE_MS = MINUTE_MS;
