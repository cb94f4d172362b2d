import { systemNow } from "#shared/time/clock.ts";
import type { GeoEnv } from "../../env.ts";
import { logFailure } from "../../log-failure.ts";
import type { CopiedRule, RuleCopy } from "../../object/account-rules.ts";
import { accountRulesOf } from "../../object/addresses.ts";
import { ZonesBySquare } from "../../zone/squares.ts";

type Owner = { account_id: number; tracker_id: number };

/** A feed's copy of its tracker's rules, and of the zones around recent points. */
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

  /** Null: the rules were never read. */
  get rules(): CopiedRule[] | null {
    return this.#copy?.rules ?? null;
  }

  /** The revision of the tracker's tasks; 0: it never had any; null: never read. */
  get workRevision(): number | null {
    return this.#workRevision;
  }

  /** True unless rules and tasks were read just now. */
  get isStale(): boolean {
    return this.#now() - this.#answeredAt > STALE_AFTER_MS;
  }

  /**
   * Updates the copy, at most once a second; after a failure the known rules stay. `stamp` is the directory's current
   * stamp, if known: a different one than that of the copy updates at once.
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

  /** Updates the copy at once, for rare events. Throws if the directory does not answer. */
  async refreshNow(): Promise<void> {
    await this.#pendingFetch;
    this.#askedAt = this.#now();
    await this.#fetch();
  }

  /** Zones near the squares; missing ones are read from the directory. Throws if it does not answer. */
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
    // A new version often changes only rules of other trackers: then nothing is stored.
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
const MAX_SQUARES_PER_CALL = 500;
/** About 3 MB. */
const MAX_CACHED_POINTS = 30_000;
