import { DurableObject } from "cloudflare:workers";
import { Slots } from "#shared/background/slots.ts";
import { nowMs, systemNow } from "#shared/time/clock.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time/duration.ts";
import type { GatewayEnv } from "../../env.ts";
import type { FailureCounter, Refusal } from "./failure-counter.ts";

/** One Durable Object per subject: a login, an address or both, a user's codes, an address that requests mails. */
export class LoginAttempts extends DurableObject<GatewayEnv> implements FailureCounter {
  #attempts: Slots | undefined;

  async countFailures(): Promise<number> {
    return (await this.#recent()).length;
  }

  async addFailure(): Promise<number> {
    const recent = await this.#recent();
    await this.ctx.storage.put("failures", [...recent, nowMs(this.env)]);
    await this.ctx.storage.setAlarm(systemNow() + WINDOW_MS);
    return recent.length;
  }

  async beginAttempt(limit: number, address?: string): Promise<number | Refusal> {
    const failures = (await this.#recent()).length;
    const isKnown = address !== undefined && (await this.#knowsAddress(address));
    this.#attempts ??= new Slots(limit, ATTEMPT_LAPSE_MS);
    if (isKnown) return this.#attempts.take();
    if (failures >= limit) return "limit";
    return this.#attempts.areFull(failures) ? "busy" : this.#attempts.take();
  }

  async endAttempt(attempt: number, isFailure: boolean): Promise<void> {
    if (isFailure) await this.addFailure();
    this.#attempts?.free(attempt);
  }

  /** Stores an address at most once a day, and only the latest `MAX_KNOWN_ADDRESSES`. */
  async rememberAddress(address: string): Promise<void> {
    const known = await this.#loadKnown();
    const now = nowMs(this.env);
    if (known.some((one) => one.address === address && one.at > now - DAY_MS)) return;
    const otherAddresses = known.filter((one) => one.address !== address).slice(1 - MAX_KNOWN_ADDRESSES);
    await this.ctx.storage.put("known", [...otherAddresses, { address, at: now }]);
    await this.ctx.storage.setAlarm(systemNow() + ADDRESS_RETENTION_MS);
  }

  /** Deletes the object's storage once its failures and known addresses have expired. */
  override async alarm() {
    if ((await this.countFailures()) > 0) return;
    if ((await this.#loadKnown()).length === 0) await this.ctx.storage.deleteAll();
    else await this.ctx.storage.setAlarm(systemNow() + ADDRESS_RETENTION_MS);
  }

  async #knowsAddress(address: string): Promise<boolean> {
    return (await this.#loadKnown()).some((one) => one.address === address);
  }

  async #loadKnown(): Promise<LoginAddress[]> {
    const since = nowMs(this.env) - ADDRESS_RETENTION_MS;
    return ((await this.ctx.storage.get<LoginAddress[]>("known")) ?? []).filter(({ at }) => at > since);
  }

  async #recent(): Promise<number[]> {
    const since = nowMs(this.env) - WINDOW_MS;
    const failures = (await this.ctx.storage.get<number[]>("failures")) ?? [];
    return failures.filter((at) => at > since);
  }
}

/** An address as a keyed hash, and when a log-in from it last succeeded. */
type LoginAddress = { address: string; at: number };

const WINDOW_MS = 15 * MINUTE_MS;
/** Longer than an attempt takes whose database does not answer: one whose isolate has died counts until then. */
const ATTEMPT_LAPSE_MS = 30_000;
const ADDRESS_RETENTION_MS = 30 * DAY_MS;
const MAX_KNOWN_ADDRESSES = 100;
