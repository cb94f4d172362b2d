import { DurableObject } from "cloudflare:workers";
import { nowMs } from "#shared/time/clock.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { GatewayEnv } from "../../env.ts";
import type { FailureCount } from "./failure-count.ts";

/** One object per login and per address: counts failed log-ins, and only those. */
export class LoginAttempts extends DurableObject<GatewayEnv> implements FailureCount {
  /** Failures within the window. */
  async count(): Promise<number> {
    return (await this.#recent()).length;
  }

  /** One more; the answer is how many there were before it. */
  async fail(): Promise<number> {
    const recent = await this.#recent();
    await this.ctx.storage.put("failures", [...recent, nowMs(this.env)]);
    await this.ctx.storage.setAlarm(Date.now() + WINDOW_MS);
    return recent.length;
  }

  /** Nothing is left of an object whose failures are all past. */
  override async alarm() {
    if ((await this.count()) === 0) await this.ctx.storage.deleteAll();
  }

  async #recent(): Promise<number[]> {
    const since = nowMs(this.env) - WINDOW_MS;
    const failures = (await this.ctx.storage.get<number[]>("failures")) ?? [];
    return failures.filter((at) => at > since);
  }
}

const WINDOW_MS = 15 * MINUTE_MS;
