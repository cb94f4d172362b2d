import { DurableObject } from "cloudflare:workers";
import type { RetranslationStatus } from "#shared/contract/tracker/retranslation.ts";
import type { GeoEnv } from "../env.ts";
import type { StatusBoard } from "../object/status-board.ts";

/**
 * Durable Object with the status of an account's retranslators. Feeds report here, so that reading statuses does not
 * wake all feeds.
 */
export class RetranslationBoard extends DurableObject<GeoEnv> implements StatusBoard {
  #sql: SqlStorage;

  constructor(ctx: DurableObjectState, env: GeoEnv) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.#sql.exec(
      `CREATE TABLE IF NOT EXISTS status (retranslator_id INTEGER NOT NULL, tracker_id INTEGER NOT NULL, last_success INTEGER,
        error_at INTEGER, error TEXT, backlog INTEGER NOT NULL, PRIMARY KEY (retranslator_id, tracker_id)) WITHOUT ROWID`,
    );
    this.#sql.exec("CREATE INDEX IF NOT EXISTS status_tracker ON status (tracker_id)");
  }

  async put(tracker_id: number, statuses: RetranslationStatus[]): Promise<void> {
    this.#sql.exec("DELETE FROM status WHERE tracker_id = ?", tracker_id);
    for (const { retranslator_id, last_success, last_error, backlog } of statuses) {
      this.#sql.exec(
        "INSERT INTO status VALUES (?, ?, ?, ?, ?, ?)",
        retranslator_id,
        tracker_id,
        last_success,
        last_error?.time ?? null,
        last_error?.message ?? null,
        backlog,
      );
    }
  }

  async clear(): Promise<void> {
    this.#sql.exec("DELETE FROM status");
  }

  async statuses(): Promise<RetranslationStatus[]> {
    type Row = {
      retranslator_id: number;
      last_success: number | null;
      error_at: number | null;
      error: string | null;
      backlog: number;
    };
    // SQLite takes a bare column beside one max() from the row with the maximum: `error` is the latest one.
    const rows = this.#sql.exec<Row>(
      `SELECT retranslator_id, sum(backlog) AS backlog, max(error_at) AS error_at, error,
        (SELECT max(other.last_success) FROM status AS other WHERE other.retranslator_id = status.retranslator_id) AS last_success
        FROM status GROUP BY retranslator_id`,
    );
    return [...rows].map(({ error_at, error, ...row }) => ({
      ...row,
      last_error: error_at === null ? null : { time: error_at, message: error ?? "" },
    }));
  }
}
