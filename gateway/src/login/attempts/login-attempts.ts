import { DurableObject } from "cloudflare:workers";
import { Slots } from "#shared/background/slots.ts";
import { nowMs, systemNow } from "#shared/time/clock.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time/duration.ts";
import type { GatewayEnv } from "../../env.ts";
import type { FailureCounter, Outcome, Refusal } from "./failure-counter.ts";

/** One Durable Object per subject: a login, an address, a user's codes, an address that requests mails. */
export class LoginAttempts extends DurableObject<GatewayEnv> implements FailureCounter {
  #attempts: Slots | undefined;

  async countFailures(): Promise<number> {
    return (await this.#loadFailures()).length;
  }

  async addFailure(address?: string): Promise<number> {
    const recent = await this.#loadFailures();
    await this.ctx.storage.put("recent_failures", [...recent, { at: nowMs(this.env), address }]);
    await this.ctx.storage.setAlarm(systemNow() + WINDOW_MS);
    return recent.length;
  }

  async beginAttempt(limit: number, address?: string, limitOfAddress = limit): Promise<number | Refusal> {
    const failures = await this.#loadFailures();
    const isKnown = address !== undefined && (await this.#loadKnown()).some((one) => one.address === address);
    const failuresOfAddress = failures.filter((failure) => failure.address === address).length;
    this.#attempts ??= new Slots(limit, ATTEMPT_LAPSE_MS);
    if (failuresOfAddress >= limitOfAddress || (!isKnown && failures.length >= limit)) return "limit";
    if (address !== undefined && this.#attempts.isShareFull(address, limitOfAddress - failuresOfAddress)) return "busy";
    if (!isKnown && this.#attempts.areFull(failures.length)) return "busy";
    return this.#attempts.take(1, address);
  }

  async endAttempt(attempt: number, outcome: Outcome, address?: string): Promise<void> {
    if (outcome === "wrong") await this.addFailure(address);
    if (outcome === "right" && address !== undefined) await this.#remember(address);
    this.#attempts?.free(attempt);
  }

  /** Stores an address at most once a day, and only the latest `MAX_KNOWN_ADDRESSES`. */
  async #remember(address: string): Promise<void> {
    const known = await this.#loadKnown();
    const now = nowMs(this.env);
    if (known.some((one) => one.address === address && one.at > now - DAY_MS)) return;
    const others = known.filter((one) => one.address !== address).slice(1 - MAX_KNOWN_ADDRESSES);
    await this.ctx.storage.put("known", [...others, { address, at: now }]);
    await this.ctx.storage.setAlarm(systemNow() + ADDRESS_RETENTION_MS);
  }

  /** Deletes the object's storage once its failures and known addresses have expired. */
  override async alarm() {
    if ((await this.countFailures()) > 0) return;
    if ((await this.#loadKnown()).length === 0) await this.ctx.storage.deleteAll();
    else await this.ctx.storage.setAlarm(systemNow() + ADDRESS_RETENTION_MS);
  }

  async #loadKnown(): Promise<LoginAddress[]> {
    const since = nowMs(this.env) - ADDRESS_RETENTION_MS;
    return ((await this.ctx.storage.get<LoginAddress[]>("known")) ?? []).filter(({ at }) => at > since);
  }

  async #loadFailures(): Promise<Failure[]> {
    const since = nowMs(this.env) - WINDOW_MS;
    return ((await this.ctx.storage.get<Failure[]>("recent_failures")) ?? []).filter(({ at }) => at > since);
  }
}

/** Addresses are keyed hashes. `at`: when it failed, in milliseconds since 1970. */
type Failure = { at: number; address?: string | undefined };
/** `at`: when an attempt from the address was last right. */
type LoginAddress = { address: string; at: number };

const WINDOW_MS = 15 * MINUTE_MS;
/** Longer than an attempt takes whose database does not answer: one whose isolate has died counts until then. */
const ATTEMPT_LAPSE_MS = 30_000;
const ADDRESS_RETENTION_MS = 30 * DAY_MS;
const MAX_KNOWN_ADDRESSES = 100;
