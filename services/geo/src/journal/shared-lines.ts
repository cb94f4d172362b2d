import type { Device } from "#shared/contract/device.ts";
import { systemNow } from "#shared/time/clock.ts";
import type { GeoEnv } from "../env.ts";
import { logged } from "../log-failure.ts";
import { sharedJournalOf } from "../object/addresses.ts";
import type { SharedLine } from "../object/shared-journal.ts";
import type { Facts } from "../point/facts.ts";

/** A line that is stored, and what the account's book of rules said when it was; null: nothing. */
export type PutLine = { line: SharedLine; stamp: string | null };

/** Which lines of the tracker stand in the journal that it shares with others, and in its own not yet: by their numbers. */
export class SharedLines {
  #ctx: DurableObjectState;
  #env: GeoEnv;
  #numbers: number[] = [];
  #lastNumber: number;
  /** Those that are put, and not among the lines yet. */
  #underWay = new Set<number>();
  /** Lines up to this number count no more, whatever the journal says; null: there has never been one. */
  #settledUntil: number | null;
  /** By the runtime's clock: a moment ago nobody else had a line to be stored, or the journal failed. */
  #restsUntil = 0;
  readonly #now: () => number;

  constructor(ctx: DurableObjectState, env: GeoEnv, now: () => number = systemNow) {
    this.#now = now;
    this.#ctx = ctx;
    this.#env = env;
    this.#settledUntil = ctx.storage.kv.get<number>(SETTLED_UNTIL) ?? null;
    this.#lastNumber = this.#settledUntil ?? 0;
  }

  /** Whether there may be lines that only the shared journal knows. */
  get isUsed() {
    return this.#settledUntil !== null;
  }

  get numbers(): readonly number[] {
    return this.#numbers;
  }

  get areMany() {
    return this.#numbers.length >= MANY_LINES;
  }

  /** Whether the points are few, and others share the journal's rows, as far as that is known. */
  takes(points: Uint8Array) {
    return points.length <= MOST_BYTES && this.#now() >= this.#restsUntil;
  }

  /** What stands there. It throws where the journal does not answer. */
  async read(): Promise<SharedLine[]> {
    if (this.#settledUntil === null) return [];
    const until = this.#settledUntil;
    const lines = await this.#journal().linesOf(this.#trackerId());
    const own = lines.filter(({ number }) => number > until);
    this.#numbers = own.map(({ number }) => number);
    this.#lastNumber = Math.max(until, this.#numbers.at(-1) ?? 0);
    this.#tellSettled(lines.flatMap(({ number }) => (number > until ? [] : number)));
    return own;
  }

  /** Null where it is not stored, or nobody knows. The line is not among `numbers` before it is kept. */
  async put(owner: Device, received: number, facts: Facts | null, points: Uint8Array): Promise<PutLine | null> {
    const number = Math.max(this.#lastNumber + 1, this.#now());
    this.#lastNumber = number;
    // Nothing leaves this object before it is on the disk: whoever lives next looks there.
    if (this.#settledUntil === null) this.#settleUntil(0);
    this.#underWay.add(number);
    const line = { number, received, facts, points };
    try {
      const { account_id, tracker_id } = owner;
      const { together, stamp } = await this.#journal().append({ account_id, tracker_id }, line);
      if (together <= 1) this.#restsUntil = this.#now() + REST_MS;
      if (together > 0) return { line, stamp };
    } catch (thrown) {
      logged(thrown);
      this.#restsUntil = this.#now() + REST_MS;
    }
    this.#underWay.delete(number);
    return null;
  }

  keep({ number }: SharedLine) {
    this.#underWay.delete(number);
    this.#numbers.push(number);
  }

  /** In one go with what keeps them: they are in the feed's own storage now, or in the database. */
  settle(numbers: readonly number[]) {
    if (numbers.length === 0) return;
    const settled = new Set(numbers);
    this.#numbers = this.#numbers.filter((number) => !settled.has(number));
    // The journal drops a row with its last line, so that it may show lines once more after its next start.
    const next = Math.min(...this.#underWay, ...this.#numbers);
    this.#settleUntil(Math.max(this.#settledUntil ?? 0, Math.min(next - 1, Math.max(...numbers))));
    this.#tellSettled(numbers);
  }

  /** Where it fails the journal asks for them later. */
  #tellSettled(numbers: readonly number[]) {
    if (numbers.length === 0) return;
    this.#ctx.waitUntil(
      this.#journal()
        .settle(this.#trackerId(), [...numbers])
        .catch(logged),
    );
  }

  #settleUntil(number: number) {
    this.#settledUntil = number;
    this.#ctx.storage.kv.put(SETTLED_UNTIL, number);
  }

  #journal() {
    return sharedJournalOf(this.#env, this.#trackerId());
  }

  #trackerId() {
    return Number(this.#ctx.id.name);
  }
}

const SETTLED_UNTIL = "shared_until";
/** Larger ones are few, and would leave others no room in a page. */
const MOST_BYTES = 250;
/** From here on they move into the feed's own journal: they are read back from as many rows. */
const MANY_LINES = 190;
/** Then it is tried again: who shares rows is found out by trying. */
const REST_MS = 30_000;
