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
    // Should the database have stored a change without our hearing of it, nobody told this object.
    if (now - this.#loadedAt > MOST_AGE_MS) this.#principal = undefined;
    const loaded = await (this.#principal ?? this.#load(key, now));
    if (!loaded || now >= loaded.principal.expires_at) return { rate };
    return loaded.version === known ? { rate, version: known } : { rate, ...loaded };
  }

  /** A load begun earlier is dropped too. */
  async refresh(): Promise<void> {
    this.#principal = undefined;
  }

  async refreshAll(keys: string[]): Promise<void> {
    await refreshEach(this.env, keys);
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
