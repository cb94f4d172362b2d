import { DurableObject } from "cloudflare:workers";
import { nowMs, systemNow } from "#shared/time/clock.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time/duration.ts";
import type { GatewayEnv } from "../../env.ts";
import type { FailureCounter } from "./failure-counter.ts";

/** One object per login and per address: counts failed log-ins, and only those. */
export class LoginAttempts extends DurableObject<GatewayEnv> implements FailureCounter {
  /** Failures within the window. */
  async countFailures(): Promise<number> {
    return (await this.#recent()).length;
  }

  /** One more; the answer is how many there were before it. */
  async addFailure(): Promise<number> {
    const recent = await this.#recent();
    await this.ctx.storage.put("failures", [...recent, nowMs(this.env)]);
    await this.ctx.storage.setAlarm(systemNow() + WINDOW_MS);
    return recent.length;
  }

  async knowsAddress(address: string): Promise<boolean> {
    return (await this.#known()).some((one) => one.address === address);
  }

  /** Told once a day, and of the last addresses alone. */
  async rememberAddress(address: string): Promise<void> {
    const known = await this.#known();
    const now = nowMs(this.env);
    if (known.some((one) => one.address === address && one.at > now - DAY_MS)) return;
    const others = known.filter((one) => one.address !== address).slice(1 - MAX_KNOWN_ADDRESSES);
    await this.ctx.storage.put("known", [...others, { address, at: now }]);
    await this.ctx.storage.setAlarm(systemNow() + ADDRESS_RETENTION_MS);
  }

  /** Nothing is left of an object whose failures are all past. */
  override async alarm() {
    if ((await this.countFailures()) > 0) return;
    if ((await this.#known()).length === 0) await this.ctx.storage.deleteAll();
    else await this.ctx.storage.setAlarm(systemNow() + ADDRESS_RETENTION_MS);
  }

  async #known(): Promise<KnownAddress[]> {
    const since = nowMs(this.env) - ADDRESS_RETENTION_MS;
    return ((await this.ctx.storage.get<KnownAddress[]>("known")) ?? []).filter(({ at }) => at > since);
  }

  async #recent(): Promise<number[]> {
    const since = nowMs(this.env) - WINDOW_MS;
    const failures = (await this.ctx.storage.get<number[]>("failures")) ?? [];
    return failures.filter((at) => at > since);
  }
}

/** An address as a keyed hash, and when a log-in from it succeeded. */
type KnownAddress = { address: string; at: number };

const WINDOW_MS = 15 * MINUTE_MS;
const ADDRESS_RETENTION_MS = 30 * DAY_MS;
const MAX_KNOWN_ADDRESSES = 100;
