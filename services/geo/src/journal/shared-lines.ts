import type { Device } from "#shared/contract/tracker/device.ts";
import { systemNow } from "#shared/time/clock.ts";
import type { GeoEnv } from "../env.ts";
import { logFailure } from "../log-failure.ts";
import { sharedJournalOf } from "../object/addresses.ts";
import type { SharedLine } from "../object/shared-journal.ts";
import type { Facts } from "../point/facts.ts";

/** A stored line, and the stamp of the account's rules and tasks at that time; null: unknown. */
export type StoredLine = { line: SharedLine; stamp: string | null };

/** Numbers of the tracker's lines in the shared journal that are neither in its own journal nor in chunks yet. */
export class SharedLines {
  #ctx: DurableObjectState;
  #env: GeoEnv;
  #numbers: number[] = [];
  #lastNumber: number;
  /** Lines whose storing is not acknowledged yet. */
  #pending = new Set<number>();
  /** Lines up to this number are outdated, even if the shared journal returns them; null: the tracker never had one. */
  #releasedUntil: number | null;
  /** By the runtime's clock. Set when no other tracker shared the last row, or the journal failed. */
  #pausedUntil = 0;
  readonly #now: () => number;

  constructor(ctx: DurableObjectState, env: GeoEnv, now: () => number = systemNow) {
    this.#now = now;
    this.#ctx = ctx;
    this.#env = env;
    this.#releasedUntil = ctx.storage.kv.get<number>(RELEASED_UNTIL) ?? null;
    this.#lastNumber = this.#releasedUntil ?? 0;
  }

  /** Whether the shared journal may hold lines of this tracker. */
  get isUsed() {
    return this.#releasedUntil !== null;
  }

  get numbers(): readonly number[] {
    return this.#numbers;
  }

  get isFull() {
    return this.#numbers.length >= MAX_LINES;
  }

  /** Whether a request is small enough, and other trackers are known to share rows. */
  accepts(points: Uint8Array) {
    return points.length <= MAX_LINE_BYTES && this.#now() >= this.#pausedUntil;
  }

  /** Reads the tracker's lines; throws if the journal does not answer. */
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

  /** Null if the line was not stored, or no answer came. The caller passes a stored line to `add`. */
  async append(owner: Device, received: number, facts: Facts | null, points: Uint8Array): Promise<StoredLine | null> {
    const number = Math.max(this.#lastNumber + 1, this.#now());
    this.#lastNumber = number;
    // The runtime sends the call only after this write is on disk: after a crash the next start reads the shared
    // journal.
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

  /**
   * Forgets lines whose points are in the feed's own storage or in chunks by now. The caller stores those in the same
   * transaction.
   */
  release(numbers: readonly number[]) {
    if (numbers.length === 0) return;
    const released = new Set(numbers);
    this.#numbers = this.#numbers.filter((number) => !released.has(number));
    // Remembered, because the shared journal deletes whole rows only, and may return these lines after its restart.
    const next = Math.min(...this.#pending, ...this.#numbers);
    this.#releaseUntil(Math.max(this.#releasedUntil ?? 0, Math.min(next - 1, Math.max(...numbers))));
    this.#removeFromJournal(numbers);
  }

  /** After a failure the journal's alarm asks for these lines later. */
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
/** Larger requests are rare, and would leave no space for other lines in a row. */
const MAX_LINE_BYTES = 250;
/** At this count lines move into the feed's own journal: a restart would read as many rows. */
const MAX_LINES = 190;
/** After this pause one line tries again whether other trackers share rows. */
const PAUSE_MS = 30_000;
