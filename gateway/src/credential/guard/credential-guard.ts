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

/** One object per credential: who calls and whether too often, in one answer. */
export class CredentialGuard extends DurableObject<GatewayEnv> implements Guard {
  // In memory on purpose: an evicted object loads again, and a window lasts a second.
  #principal: Promise<VersionedPrincipal | undefined> | undefined;
  #loadedAt = 0;
  #window: RateWindow | undefined;

  /** `key` is the keyed hash that also names this object. */
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
    // Kept before the credential is looked up: whatever changes it from then on tells the socket.
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

  async #loadCurrent(key: string, now: number): Promise<VersionedPrincipal | undefined> {
    // Should the database have stored a change without our hearing of it, nobody told this object.
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
      // A failed load is no answer to keep.
      if (this.#principal === loading) this.#principal = undefined;
      throw thrown;
    });
    this.#principal = loading;
    return loading;
  }
}

/** Known by no other name, in no other life of this object either. */
function toVersioned(principal: Principal | undefined): VersionedPrincipal | undefined {
  return principal && { principal, version: crypto.randomUUID() };
}

type VersionedPrincipal = { principal: Principal; version: string };

const MAX_AGE_MS = MINUTE_MS;
