import { DurableObject } from "cloudflare:workers";
import { nowMs } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../env.ts";
import type { GeocoderServer } from "../object/geocoder-server.ts";
import { RequestPace } from "./request-pace.ts";

/** Asks the server in turn, and keeps what it answered. */
export class GeocoderDesk extends DurableObject<GeoEnv> implements GeocoderServer {
  #waiting = 0;
  readonly #pace = new RequestPace(BETWEEN_MS);

  constructor(state: DurableObjectState, env: GeoEnv) {
    super(state, env);
    state.storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS answer (id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT UNIQUE, body TEXT, kept_at INTEGER)",
    );
  }

  async ask(path: string): Promise<string | null> {
    const kept = this.#kept(path);
    if (kept !== undefined) return kept;
    if (this.#waiting >= MOST_WAITING) return null;
    this.#waiting++;
    try {
      await this.#pace.next();
      // Whoever came before may have asked the same.
      return this.#kept(path) ?? (await this.#fetch(path));
    } finally {
      this.#waiting--;
    }
  }

  #kept(path: string): string | undefined {
    const oldest = nowMs(this.env) - KEPT_MS;
    const [row] = this.ctx.storage.sql.exec("SELECT body FROM answer WHERE path = ? AND kept_at > ?", path, oldest);
    return row ? String(row.body) : undefined;
  }

  async #fetch(path: string): Promise<string | null> {
    const url = String(this.env.GEOCODER_URL).replace(/\/$/, "") + path;
    const request = { headers: { "User-Agent": "fleet-monitoring-api" }, signal: AbortSignal.timeout(PATIENCE_MS) };
    const body = await fetch(url, request)
      .then((answer) => (answer.ok ? answer.text() : null))
      .catch(() => null);
    if (body === null) {
      // Whoever waits behind it gets on without, until it may be back.
      this.#pace.rest(REST_MS);
      this.#waiting += MOST_WAITING;
      setTimeout(() => {
        this.#waiting -= MOST_WAITING;
      }, REST_MS);
      return null;
    }
    if (body.length <= LONGEST_BODY) this.#keep(path, body);
    return body;
  }

  #keep(path: string, body: string) {
    const { sql } = this.ctx.storage;
    sql.exec("INSERT OR REPLACE INTO answer (path, body, kept_at) VALUES (?, ?, ?)", path, body, nowMs(this.env));
    sql.exec("DELETE FROM answer WHERE id <= (SELECT max(id) FROM answer) - ?", MOST_KEPT);
  }
}

/** What such servers allow. */
const BETWEEN_MS = 1000;
const MOST_WAITING = 3;
const PATIENCE_MS = 5000;
const REST_MS = 30_000;
const KEPT_MS = 30 * DAY_MS;
const MOST_KEPT = 100_000;
const LONGEST_BODY = 100_000;
