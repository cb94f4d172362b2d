import type { Device } from "#shared/contract/device.ts";
import { systemNow } from "#shared/time/clock.ts";
import type { GeoEnv } from "../env.ts";
import { logFailure } from "../log-failure.ts";
import { sharedJournalOf } from "../object/addresses.ts";
import type { SharedLine } from "../object/shared-journal.ts";
import type { Facts } from "../point/facts.ts";

/** A line that is stored, and what the account's book of rules said when it was; null: nothing. */
export type StoredLine = { line: SharedLine; stamp: string | null };

/** Which lines of the tracker stand in the journal that it shares with others, and in its own not yet: by their numbers. */
export class SharedLines {
  #ctx: DurableObjectState;
  #env: GeoEnv;
  #numbers: number[] = [];
  #lastNumber: number;
  /** Those that are put, and not among the lines yet. */
  #pending = new Set<number>();
  /** Lines up to this number count no more, whatever the journal says; null: there has never been one. */
  #releasedUntil: number | null;
  /** By the runtime's clock: a moment ago nobody else had a line to be stored, or the journal failed. */
  #pausedUntil = 0;
  readonly #now: () => number;

  constructor(ctx: DurableObjectState, env: GeoEnv, now: () => number = systemNow) {
    this.#now = now;
    this.#ctx = ctx;
    this.#env = env;
    this.#releasedUntil = ctx.storage.kv.get<number>(RELEASED_UNTIL) ?? null;
    this.#lastNumber = this.#releasedUntil ?? 0;
  }

  /** Whether there may be lines that only the shared journal knows. */
  get isUsed() {
    return this.#releasedUntil !== null;
  }

  get numbers(): readonly number[] {
    return this.#numbers;
  }

  get isFull() {
    return this.#numbers.length >= MAX_LINES;
  }

  /** Whether the points are few, and others share the journal's rows, as far as that is known. */
  accepts(points: Uint8Array) {
    return points.length <= MAX_LINE_BYTES && this.#now() >= this.#pausedUntil;
  }

  /** What stands there. It throws where the journal does not answer. */
  async read(): Promise<SharedLine[]> {
    if (this.#releasedUntil === null) return [];
    const until = this.#releasedUntil;
    const lines = await this.#journal().linesOf(this.#trackerId());
    const own = lines.filter(({ number }) => number > until);
    this.#numbers = own.map(({ number }) => number);
    this.#lastNumber = Math.max(until, this.#numbers.at(-1) ?? 0);
    this.#removeFromJournal(lines.flatMap(({ number }) => (number > until ? [] : number)));
    return own;
  }

  /** Null where it is not stored, or nobody knows. The line is not among `numbers` before it is kept. */
  async append(owner: Device, received: number, facts: Facts | null, points: Uint8Array): Promise<StoredLine | null> {
    const number = Math.max(this.#lastNumber + 1, this.#now());
    this.#lastNumber = number;
    // Nothing leaves this object before it is on the disk: whoever lives next looks there.
    if (this.#releasedUntil === null) this.#releaseUntil(0);
    this.#pending.add(number);
    const line = { number, received, facts, points };
    try {
      const { account_id, tracker_id } = owner;
      const { groupSize, stamp } = await this.#journal().append({ account_id, tracker_id }, line);
      if (groupSize <= 1) this.#pausedUntil = this.#now() + PAUSE_MS;
      if (groupSize > 0) return { line, stamp };
    } catch (thrown) {
      logFailure(thrown);
      this.#pausedUntil = this.#now() + PAUSE_MS;
    }
    this.#pending.delete(number);
    return null;
  }

  add({ number }: SharedLine) {
    this.#pending.delete(number);
    this.#numbers.push(number);
  }

  /** In one go with what keeps them: they are in the feed's own storage now, or in the database. */
  release(numbers: readonly number[]) {
    if (numbers.length === 0) return;
    const settled = new Set(numbers);
    this.#numbers = this.#numbers.filter((number) => !settled.has(number));
    // The journal drops a row with its last line, so that it may show lines once more after its next start.
    const next = Math.min(...this.#pending, ...this.#numbers);
    this.#releaseUntil(Math.max(this.#releasedUntil ?? 0, Math.min(next - 1, Math.max(...numbers))));
    this.#removeFromJournal(numbers);
  }

  /** Where it fails the journal asks for them later. */
  #removeFromJournal(numbers: readonly number[]) {
    if (numbers.length === 0) return;
    this.#ctx.waitUntil(
      this.#journal()
        .removeLines(this.#trackerId(), [...numbers])
        .catch(logFailure),
    );
  }

  #releaseUntil(number: number) {
    this.#releasedUntil = number;
    this.#ctx.storage.kv.put(RELEASED_UNTIL, number);
  }

  #journal() {
    return sharedJournalOf(this.#env, this.#trackerId());
  }

  #trackerId() {
    return Number(this.#ctx.id.name);
  }
}

const RELEASED_UNTIL = "shared_until";
/** Larger ones are few, and would leave others no room in a page. */
const MAX_LINE_BYTES = 250;
/** From here on they move into the feed's own journal: they are read back from as many rows. */
const MAX_LINES = 190;
/** Then it is tried again: who shares rows is found out by trying. */
const PAUSE_MS = 30_000;
