import { systemNow } from "#shared/time/clock.ts";

/** When a relay has to call a feed again: before its subscription ends, or when the state changes by time alone. */
export class Revisits {
  #sql: SqlStorage;
  #known: Map<number, Revisit>;
  readonly #now: () => number;

  constructor({ sql }: DurableObjectStorage, now: () => number = systemNow) {
    this.#now = now;
    this.#sql = sql;
    sql.exec("CREATE TABLE IF NOT EXISTS revisit (feed_id INTEGER PRIMARY KEY, renew_at INTEGER, change_at INTEGER)");
    const rows = sql.exec<Revisit & { feed_id: number }>("SELECT feed_id, renew_at, change_at FROM revisit");
    this.#known = new Map([...rows].map(({ feed_id, ...revisit }) => [feed_id, revisit]));
  }

  /** Whether the feed sends its changes. */
  isSubscribed(feed_id: number): boolean {
    return this.#known.has(feed_id);
  }

  put(feed_id: number, renew_at: number, change_at: number | null) {
    this.#known.set(feed_id, { renew_at, change_at });
    this.#sql.exec("INSERT OR REPLACE INTO revisit VALUES (?, ?, ?)", feed_id, renew_at, change_at);
  }

  /**
   * Keeps the earlier time: a changed state will change by time later than the one before, and is then evaluated
   * anyway. A feed that changes every second so causes no write every second.
   */
  noteChange(feed_id: number, change_at: number | null) {
    const known = this.#known.get(feed_id);
    if (known && known.change_at === null && change_at !== null) this.put(feed_id, known.renew_at, change_at);
  }

  /** `now` is by the service's clock, which tests may move; `renew_at` is by the runtime's. */
  due(now: number): number[] {
    const isDue = ({ renew_at, change_at }: Revisit) =>
      renew_at <= this.#now() || (change_at !== null && change_at <= now);
    return [...this.#known].flatMap(([feed_id, revisit]) => (isDue(revisit) ? feed_id : []));
  }

  remove(feed_id: number) {
    this.#known.delete(feed_id);
    this.#sql.exec("DELETE FROM revisit WHERE feed_id = ?", feed_id);
  }

  keepOnly(feeds: Set<number>) {
    for (const feed_id of [...this.#known.keys()]) if (!feeds.has(feed_id)) this.remove(feed_id);
  }
}

type Revisit = { renew_at: number; change_at: number | null };
