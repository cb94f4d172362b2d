import type { AuditEntry } from "#shared/caller/audit.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import type { EventRow } from "../../table/event.ts";
import { AttemptLog, type LoggedDelivery } from "./attempt-log.ts";
import type { Delivery, DeliverySearch, ReplaySelection } from "./delivery.ts";
import type { PostResult } from "./post-event.ts";
import { ReplayEntries } from "./replay-entries.ts";

/** An attempt that has ended. `due`: when the next one is due; null after the last. Times are UTC milliseconds. */
export type FinishedAttempt = { delivery: Delivery; result: PostResult; due: number | null; ended: number };

/** The deliveries of a webhook in the storage of its Durable Object. */
export class DeliveryStore {
  /** Audit entries of replays, on their way to the audit log. */
  readonly entries: ReplayEntries;
  readonly #storage: DurableObjectStorage;
  readonly #attempts: AttemptLog;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    for (const statement of TABLES) this.#storage.sql.exec(statement);
    this.#attempts = new AttemptLog(storage);
    this.entries = new ReplayEntries(storage);
  }

  /** The sequence of the account through which events have been read; undefined before the first page. */
  get cursor(): number | undefined {
    return this.#storage.kv.get<number>("cursor");
  }

  /** When the deliveries that fail now began to fail; undefined after a success. */
  get failingSince(): number | undefined {
    return this.#storage.kv.get<number>("failing_since");
  }

  /** Stores a page of events together with the cursor behind it: a crash neither loses nor doubles an event. */
  addPage(events: EventRow[], cursor: number, bodyOf: (event: EventRow, sequence: number) => string, now: number) {
    this.#storage.transactionSync(() => {
      let { newest } = this;
      for (const event of events) this.#insert(event, ++newest, bodyOf, now);
      this.#storage.kv.put("sequence", newest);
      this.#storage.kv.put("cursor", cursor);
    });
  }

  /** Stores an event of the webhook itself, such as a test; returns its delivery. `due`: when a run may send it. */
  add(event: EventRow, bodyOf: (event: EventRow, sequence: number) => string, now: number, due = now): Delivery {
    return this.#storage.transactionSync(() => {
      const sequence = this.newest + 1;
      this.#storage.kv.put("sequence", sequence);
      return this.#insert(event, sequence, bodyOf, now, due);
    });
  }

  /** The sequence of the newest delivery; 0 before the first. */
  get newest(): number {
    return this.#storage.kv.get<number>("sequence") ?? 0;
  }

  #insert(
    { event_id, type, subject, tracker_id, ...event }: EventRow,
    sequence: number,
    bodyOf: (event: EventRow, sequence: number) => string,
    now: number,
    due = now,
  ) {
    const body = bodyOf({ event_id, type, subject, tracker_id, ...event }, sequence);
    const row = [sequence, event_id, type, subject, tracker_id, body, due, now];
    return this.#first<Delivery>(
      `INSERT INTO delivery (sequence, event_id, type, subject, tracker_id, body, due, created)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
      ...row,
    ) as Delivery; // an insert returns its row
  }

  countWaiting(): number {
    return Number(
      this.#first<{ count: number }>("SELECT count(*) AS count FROM delivery WHERE state = 'waiting'")?.count,
    );
  }

  /** Due deliveries, oldest first. With `ordered`, none that comes behind one of its subject that has to wait. */
  listDue(now: number, ordered: boolean, limit: number): Delivery[] {
    const isBehindPaused = `sequence > (SELECT first FROM paused WHERE paused.subject = delivery.subject)`;
    return this.#list<Delivery>(
      `WITH paused AS MATERIALIZED (SELECT subject, min(sequence) AS first FROM delivery
        WHERE state = 'waiting' AND due > ?1 AND ?2 GROUP BY subject)
      SELECT * FROM delivery WHERE state = 'waiting' AND due <= ?1 AND (${isBehindPaused}) IS NOT TRUE
        ORDER BY sequence LIMIT ?3`,
      now,
      ordered ? 1 : 0,
      limit,
    );
  }

  /** When the next waiting delivery is due; undefined without one. */
  nextDue(): number | undefined {
    return (
      this.#first<{ due: number | null }>("SELECT min(due) AS due FROM delivery WHERE state = 'waiting'")?.due ??
      undefined
    );
  }

  /** Stores attempts, in the order in which they ended. */
  finishAttempts(attempts: FinishedAttempt[]) {
    // Nothing is awaited between statements: the storage commits them together.
    for (const attempt of attempts) this.#finishAttempt(attempt);
  }

  #finishAttempt({ delivery, result, due, ended }: FinishedAttempt) {
    const { sequence, attempts } = delivery;
    const isDelivered = result.error === null;
    const state = isDelivered ? "delivered" : due === null ? "failed" : "waiting";
    this.#attempts.keepLast(delivery);
    this.#storage.sql.exec(
      `UPDATE delivery SET state = ?, attempts = ?, due = ?, status = ?, error = ?, answer = ?, duration_ms = ?, attempted = ?
        WHERE sequence = ?`,
      ...[state, attempts + 1, due ?? ended, result.status, result.error, result.answer, result.durationMs],
      ...[ended, sequence],
    );
    if (isDelivered) this.forgetFailures();
    else if (this.failingSince === undefined) this.#storage.kv.put("failing_since", ended);
  }

  skip({ sequence }: Delivery) {
    this.#storage.sql.exec("UPDATE delivery SET state = 'skipped' WHERE sequence = ?", sequence);
  }

  /** Forgets that deliveries failed: a webhook that is enabled again gets its days anew. */
  forgetFailures() {
    // Each deletion is billed as a row.
    if (this.failingSince !== undefined) this.#storage.kv.delete("failing_since");
  }

  search({ state, from, to, before, limit }: DeliverySearch): LoggedDelivery[] {
    const deliveries = this.#list<Delivery>(
      `SELECT * FROM delivery WHERE (?1 IS NULL OR state = ?1) AND (?2 IS NULL OR created >= ?2) AND (?3 IS NULL OR created <= ?3)
        AND (?4 IS NULL OR sequence < ?4) ORDER BY sequence DESC LIMIT ?5`,
      ...[state, from, to, before, limit],
    );
    return this.#attempts.addTo(deliveries);
  }

  /**
   * Makes the selected deliveries wait again, at once, and stores the replay's audit entry. Returns their number; null if one
   * of the sequences is unknown.
   */
  replay({ sequences, from, to, failed }: ReplaySelection, entry: AuditEntry, now: number): number | null {
    return this.#storage.transactionSync(() => {
      const chosen = sequences && JSON.stringify(sequences);
      const condition = `(?1 IS NULL OR sequence IN (SELECT value FROM json_each(?1))) AND (?2 IS NULL OR created >= ?2)
        AND (?3 IS NULL OR created <= ?3) AND (?4 = 0 OR state = 'failed')`;
      const selection = [chosen, from, to, failed ? 1 : 0];
      const found = this.#first<{ count: number }>(
        `SELECT count(*) AS count FROM delivery WHERE ${condition}`,
        ...selection,
      );
      if (sequences && found?.count !== new Set(sequences).size) return null;
      this.#storage.sql.exec(
        `UPDATE delivery SET state = 'waiting', attempts = 0, due = ?5 WHERE ${condition}`,
        ...[...selection, now],
      );
      this.entries.add(entry);
      return Number(found?.count);
    });
  }

  /** Deletes deliveries that are older than 30 days, and the oldest finished ones above `MAX_STORED_DELIVERIES`. */
  deleteOld(now: number) {
    const { newest } = this;
    // Sequences grow with time: old deliveries are found without reading the others.
    this.#storage.sql.exec(
      "DELETE FROM delivery WHERE sequence < coalesce((SELECT sequence FROM delivery WHERE created >= ? ORDER BY sequence LIMIT 1), ?)",
      ...[now - RETENTION_MS, newest + 1],
    );
    this.#storage.sql.exec(
      "DELETE FROM delivery WHERE sequence <= ? AND state <> 'waiting'",
      newest - MAX_STORED_DELIVERIES,
    );
  }

  /** When the oldest delivery is to be deleted; undefined without deliveries. */
  nextExpiry(): number | undefined {
    const oldest = this.#first<{ created: number }>("SELECT created FROM delivery ORDER BY sequence LIMIT 1");
    return oldest && oldest.created + RETENTION_MS;
  }

  #list<Row>(statement: string, ...values: (string | number | null)[]): Row[] {
    return this.#storage.sql.exec(statement, ...values).toArray() as Row[]; // the columns of the statement
  }

  #first<Row>(statement: string, ...values: (string | number | null)[]): Row | undefined {
    return this.#list<Row>(statement, ...values)[0];
  }
}

const TABLES = [
  `CREATE TABLE IF NOT EXISTS delivery (sequence INTEGER PRIMARY KEY, event_id TEXT NOT NULL, type TEXT NOT NULL,
    subject TEXT NOT NULL, tracker_id INTEGER, body TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'waiting',
    attempts INTEGER NOT NULL DEFAULT 0, due INTEGER NOT NULL, created INTEGER NOT NULL, status INTEGER, error TEXT,
    answer TEXT NOT NULL DEFAULT '', duration_ms INTEGER, attempted INTEGER)`,
  // Serves listDue, nextDue and countWaiting.
  "CREATE INDEX IF NOT EXISTS delivery_waiting ON delivery (sequence, due) WHERE state = 'waiting'",
];
const RETENTION_MS = 30 * DAY_MS;
const MAX_STORED_DELIVERIES = 20_000;
