import { systemNow } from "#shared/time/clock.ts";
import type { GeoEnv } from "../../env.ts";
import { logFailure } from "../../log-failure.ts";
import type { CopiedRule, RuleCopy } from "../../object/account-rules.ts";
import { accountRulesOf } from "../../object/addresses.ts";
import { ZonesBySquare } from "../../zone/squares.ts";

type Owner = { account_id: number; tracker_id: number };

/** The feed's copy of its tracker's rules, and of the zones around the points of late. */
export class TrackerRules {
  #kv: SyncKvStorage;
  #env: GeoEnv;
  #owner: () => Owner | undefined;
  #copy: RuleCopy | null;
  #zones = new ZonesBySquare();
  #askedAt = 0;
  #answeredAt = 0;
  #pendingFetch: Promise<void> | undefined;
  #workRevision: number | null = null;
  #stamp: string | null = null;
  readonly #now: () => number;

  constructor(
    { kv }: DurableObjectStorage,
    env: GeoEnv,
    owner: () => Owner | undefined,
    now: () => number = systemNow,
  ) {
    this.#now = now;
    this.#kv = kv;
    this.#env = env;
    this.#owner = owner;
    this.#copy = kv.get<RuleCopy>("rules") ?? null;
  }

  /** Null where nobody could be asked yet. */
  get rules(): CopiedRule[] | null {
    return this.#copy?.rules ?? null;
  }

  /** The revision of the tracker's tasks, 0 where it never had any; null where nobody could be asked yet. */
  get workRevision(): number | null {
    return this.#workRevision;
  }

  /** What is known may have changed since: nobody was asked just now. */
  get isStale(): boolean {
    return this.#now() - this.#answeredAt > STALE_AFTER_MS;
  }

  /**
   * Asks whether the copy is what the rules are, once a second at the most. What is known stands while nobody answers.
   * `stamp` is the book's of just now, where that is known: another one than that of the copy is a reason to ask at once.
   */
  async refresh(stamp?: string | null): Promise<void> {
    if (stamp && stamp === this.#stamp) {
      this.#askedAt = this.#answeredAt = this.#now();
      return;
    }
    if (!stamp && this.#now() - this.#askedAt < REFRESH_INTERVAL_MS) return this.#pendingFetch;
    this.#askedAt = this.#now();
    this.#pendingFetch = this.#fetch()
      .catch(logFailure)
      .finally(() => {
        this.#pendingFetch = undefined;
      });
    return this.#pendingFetch;
  }

  /** The same at once, for what happens seldom; it throws where nobody answers. */
  async refreshNow(): Promise<void> {
    await this.#pendingFetch;
    this.#askedAt = this.#now();
    await this.#fetch();
  }

  /** The zones around squares, those that are not at hand read from the book. It throws where that does not answer. */
  async zonesAround(squares: Iterable<number>): Promise<ZonesBySquare> {
    const owner = this.#owner();
    const isZoned = this.#copy?.rules.some((rule) => rule.isZoned) ?? false;
    if (this.#zones.weight > MAX_CACHED_POINTS) this.#zones = new ZonesBySquare();
    if (!owner || !isZoned) return this.#zones;
    const zones = this.#zones;
    for (let missing = missingSquares(zones, squares); missing.length > 0; missing = missingSquares(zones, missing)) {
      const batch = missing.slice(0, MAX_SQUARES_PER_CALL);
      const version = this.#copy?.version ?? "";
      const answer = await accountRulesOf(this.#env, owner.account_id).zonesOf(
        owner.tracker_id,
        version,
        batch,
        zones.zones,
      );
      if (answer.squares.length === 0) {
        this.#askedAt = 0;
        throw new Error("the rules have changed meanwhile");
      }
      zones.put(answer.squares, answer.zones);
    }
    return zones;
  }

  async #fetch() {
    const owner = this.#owner();
    if (!owner) return;
    const {
      rules: copy,
      workRevision,
      stamp,
    } = await accountRulesOf(this.#env, owner.account_id).currentRules(owner.tracker_id, this.#copy?.version ?? null);
    this.#stamp = stamp;
    this.#workRevision = workRevision ?? this.#workRevision;
    if (workRevision !== null) this.#answeredAt = this.#now();
    if (!copy) return;
    const changed = JSON.stringify(copy.rules) !== JSON.stringify(this.#copy?.rules);
    // Another version of the account's rules is none of this tracker's, as a rule: nothing needs to be stored.
    if (changed) this.#kv.put("rules", copy);
    this.#copy = copy;
    this.#zones = new ZonesBySquare();
  }
}

function missingSquares(zones: ZonesBySquare, squares: Iterable<number>): number[] {
  return [...new Set(squares)].filter((square) => !zones.has(square));
}

export const REFRESH_INTERVAL_MS = 1000;
const STALE_AFTER_MS = 5;
/** In one question. */
const MAX_SQUARES_PER_CALL = 500;
/** What a feed keeps at hand: some 3 MB. */
const MAX_CACHED_POINTS = 30_000;
