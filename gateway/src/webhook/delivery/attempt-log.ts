import type { Attempt, Delivery } from "./delivery.ts";

type StoredAttempt = Attempt & { sequence: number };

/**
 * Attempts of deliveries before their last one, which is in the row of the delivery itself: a delivery that succeeds at once
 * costs no row more. They are deleted with their delivery.
 */
export class AttemptLog {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    storage.sql.exec(TABLE);
  }

  /** Keeps the last attempt of a delivery, which is about to be replaced; the oldest ones go. */
  keepLast({ sequence, attempted, status, error, duration_ms, answer }: Delivery) {
    if (attempted === null) return;
    const { sql } = this.#storage;
    const stored = sql.exec<{ number: number }>(
      `INSERT INTO attempt SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4, ?5, ?6 FROM attempt WHERE sequence = ?1
        RETURNING number`,
      ...[sequence, attempted, status, error, duration_ms, answer],
    );
    // The attempt that replaces it, in the row of the delivery, is one of those that are kept.
    const dropped = (stored.toArray()[0]?.number ?? 0) - (MAX_LOGGED_ATTEMPTS - 1);
    if (dropped > 0) sql.exec("DELETE FROM attempt WHERE sequence = ? AND number <= ?", sequence, dropped);
  }

  /** The deliveries with all their attempts that are stored, the oldest first. */
  addTo(deliveries: Delivery[]): LoggedDelivery[] {
    const sequences = JSON.stringify(deliveries.filter(({ attempted }) => attempted !== null).map(sequenceOf));
    const rows = this.#storage.sql
      .exec<StoredAttempt>(
        `SELECT sequence, time, status, error, duration_ms, answer FROM attempt
          WHERE sequence IN (SELECT value FROM json_each(?)) ORDER BY sequence, number`,
        sequences,
      )
      .toArray();
    const earlier = Map.groupBy(rows, sequenceOf);
    return deliveries.map((delivery) => ({
      ...delivery,
      log: [...(earlier.get(delivery.sequence) ?? []).map(toAttempt), ...lastOf(delivery)],
    }));
  }
}

/** A delivery with its attempts, the oldest first. */
export type LoggedDelivery = Delivery & { log: Attempt[] };

function lastOf({ attempted, ...delivery }: Delivery): Attempt[] {
  return attempted === null ? [] : [toAttempt({ ...delivery, time: attempted })];
}

function toAttempt({ time, status, error, duration_ms, answer }: Attempt): Attempt {
  return { time, status, error, duration_ms, answer };
}

function sequenceOf({ sequence }: { sequence: number }) {
  return sequence;
}

const TABLE = `CREATE TABLE IF NOT EXISTS attempt (sequence INTEGER NOT NULL REFERENCES delivery ON DELETE CASCADE,
  number INTEGER NOT NULL, time INTEGER NOT NULL, status INTEGER, error TEXT, duration_ms INTEGER, answer TEXT NOT NULL,
  PRIMARY KEY (sequence, number)) WITHOUT ROWID`;
/** A delivery has ten attempts by itself; replays add further ones. */
const MAX_LOGGED_ATTEMPTS = 20;
