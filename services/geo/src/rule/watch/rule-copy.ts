import { systemNow } from "#shared/time/clock.ts";
import type { GeoEnv } from "../../env.ts";
import { logFailure } from "../../log-failure.ts";
import type { CopiedRule, RuleCopy } from "../../object/account-rules.ts";
import { accountRulesOf } from "../../object/addresses.ts";
import { ZonesBySquare } from "../../zone/squares.ts";

type Owner = { account_id: number; tracker_id: number };

/** The feed's copy of its tracker's rules, and of the zones around the points of late. */
export class RuleBookCopy {
  #kv: SyncKvStorage;
  #env: GeoEnv;
  #owner: () => Owner | undefined;
  #copy: RuleCopy | null;
  #surroundings = new ZonesBySquare();
  #asked = 0;
  #answered = 0;
  #asking: Promise<void> | undefined;
  #work: number | null = null;
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
  get work(): number | null {
    return this.#work;
  }

  /** What is known may have changed since: nobody was asked just now. */
  get isOld(): boolean {
    return this.#now() - this.#answered > JUST_NOW_MS;
  }

  /**
   * Asks whether the copy is what the rules are, once a second at the most. What is known stands while nobody answers.
   * `stamp` is the book's of just now, where that is known: another one than that of the copy is a reason to ask at once.
   */
  async refresh(stamp?: string | null): Promise<void> {
    if (stamp && stamp === this.#stamp) {
      this.#asked = this.#answered = this.#now();
      return;
    }
    if (!stamp && this.#now() - this.#asked < FRESH_MS) return this.#asking;
    this.#asked = this.#now();
    this.#asking = this.#ask()
      .catch(logFailure)
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }

  /** The same at once, for what happens seldom; it throws where nobody answers. */
  async refreshNow(): Promise<void> {
    await this.#asking;
    this.#asked = this.#now();
    await this.#ask();
  }

  /** The zones around squares, those that are not at hand read from the book. It throws where that does not answer. */
  async surroundings(squares: Iterable<number>): Promise<ZonesBySquare> {
    const owner = this.#owner();
    const isZoned = this.#copy?.rules.some((rule) => rule.isZoned) ?? false;
    if (this.#surroundings.weight > MOST_POINTS) this.#surroundings = new ZonesBySquare();
    if (!owner || !isZoned) return this.#surroundings;
    const own = this.#surroundings;
    for (let missing = missingIn(own, squares); missing.length > 0; missing = missingIn(own, missing)) {
      const part = missing.slice(0, MOST_SQUARES);
      const version = this.#copy?.version ?? "";
      const found = await accountRulesOf(this.#env, owner.account_id).zonesOf(
        owner.tracker_id,
        version,
        part,
        own.zones,
      );
      if (found.squares.length === 0) {
        this.#asked = 0;
        throw new Error("the rules have changed meanwhile");
      }
      own.put(found.squares, found.zones);
    }
    return own;
  }

  async #ask() {
    const owner = this.#owner();
    if (!owner) return;
    const {
      rules: copy,
      workRevision,
      stamp,
    } = await accountRulesOf(this.#env, owner.account_id).currentRules(owner.tracker_id, this.#copy?.version ?? null);
    this.#stamp = stamp;
    this.#work = workRevision ?? this.#work;
    if (workRevision !== null) this.#answered = this.#now();
    if (!copy) return;
    const changed = JSON.stringify(copy.rules) !== JSON.stringify(this.#copy?.rules);
    // Another version of the account's rules is none of this tracker's, as a rule: nothing needs to be stored.
    if (changed) this.#kv.put("rules", copy);
    this.#copy = copy;
    this.#surroundings = new ZonesBySquare();
  }
}

function missingIn(zones: ZonesBySquare, squares: Iterable<number>): number[] {
  return [...new Set(squares)].filter((square) => !zones.has(square));
}

export const FRESH_MS = 1000;
const JUST_NOW_MS = 5;
/** In one question. */
const MOST_SQUARES = 500;
/** What a feed keeps at hand: some 3 MB. */
const MOST_POINTS = 30_000;
