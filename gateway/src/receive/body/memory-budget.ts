import { ApiError } from "#shared/error/api-error.ts";
import { systemNow } from "#shared/time/clock.ts";

/**
 * The sender of a body, under whose kind and name its bytes are counted. The name is the account of a user, or the
 * network of a device or of a stranger, who has shown no valid hash yet.
 */
export type BodySender = { kind: SenderKind; name: string };
type SenderKind = "user" | "device" | "stranger";

/** The bytes of one body that are in memory. */
export interface BodyMemory {
  /** Counts bytes that have arrived; 15 if its sender or all senders of its kind hold too many. */
  add(bytes: number): void;
  /** Counts the body for another sender from now on: its hash was found. */
  assign(sender: BodySender): void;
  release(): void;
}

type Entry = { sender: BodySender; bytes: number; renewedAt: number };

/**
 * Limits the bytes of bodies that an isolate receives at the same time, so that it does not run out of memory. Each kind
 * of sender has a share of its own, so that strangers cannot keep out users and devices; one sender has a part of it.
 */
export class MemoryBudget {
  readonly #limits: Record<SenderKind, ShareLimits>;
  readonly #now: () => number;
  #entries = new Set<Entry>();
  /** Bytes by kind, and by kind and name. */
  #sums = new Map<string, number>();

  constructor(bytes: number, now: () => number = systemNow) {
    this.#now = now;
    this.#limits = {
      user: { all: bytes / 2, one: (bytes * 3) / 8 },
      device: { all: bytes / 4, one: bytes / 8 },
      stranger: { all: bytes / 4, one: bytes / 8 },
    };
  }

  open(sender: BodySender): BodyMemory {
    const entry = { sender, bytes: 0, renewedAt: this.#now() };
    this.#entries.add(entry);
    return {
      add: (bytes) => this.#add(entry, bytes),
      assign: (to) => {
        this.#count(entry, -entry.bytes);
        entry.sender = to;
        this.#count(entry, entry.bytes);
      },
      release: () => this.#release(entry),
    };
  }

  #add(entry: Entry, bytes: number) {
    entry.renewedAt = this.#now();
    if (!this.#fits(entry.sender, bytes)) this.#dropSilent();
    if (!this.#fits(entry.sender, bytes)) throw new ApiError(15);
    // A body that was silent for long and then goes on counts again.
    this.#entries.add(entry);
    entry.bytes += bytes;
    this.#count(entry, bytes);
  }

  #fits({ kind, name }: BodySender, bytes: number): boolean {
    const { all, one } = this.#limits[kind];
    return this.#sumOf(kind) + bytes <= all && this.#sumOf(`${kind} ${name}`) + bytes <= one;
  }

  /** Releases the memory of calls that were aborted, which never do so themselves. */
  #dropSilent() {
    const earliest = this.#now() - MAX_SILENCE_MS;
    for (const entry of this.#entries) if (entry.renewedAt < earliest) this.#release(entry);
  }

  #release(entry: Entry) {
    if (!this.#entries.delete(entry)) return;
    this.#count(entry, -entry.bytes);
    entry.bytes = 0;
  }

  #count({ sender: { kind, name } }: Entry, bytes: number) {
    for (const key of [kind, `${kind} ${name}`]) {
      const sum = this.#sumOf(key) + bytes;
      if (sum > 0) this.#sums.set(key, sum);
      else this.#sums.delete(key);
    }
  }

  #sumOf(key: string): number {
    return this.#sums.get(key) ?? 0;
  }
}

/** `all`: for all senders of a kind together; `one`: for each of them. */
type ShareLimits = { all: number; one: number };

/** Longer than the wait for a stalled body. */
const MAX_SILENCE_MS = 25_000;
