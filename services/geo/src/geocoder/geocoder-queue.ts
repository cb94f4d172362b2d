import { DurableObject } from "cloudflare:workers";
import { withTimeLimit } from "#shared/background/time-limit.ts";
import { nowMs } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../env.ts";
import type { GeocoderServer } from "../object/geocoder-server.ts";
import { RequestPace } from "./request-pace.ts";

/** Durable Object that sends requests to the geocoding server one at a time and caches the answers. */
export class GeocoderQueue extends DurableObject<GeoEnv> implements GeocoderServer {
  #waiting = 0;
  readonly #pace = new RequestPace(MIN_INTERVAL_MS);

  constructor(state: DurableObjectState, env: GeoEnv) {
    super(state, env);
    state.storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS answer (id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT UNIQUE, body TEXT, cached_at INTEGER)",
    );
  }

  async ask(path: string): Promise<string | null> {
    const cached = this.#cachedBody(path);
    if (cached !== undefined) return cached;
    if (this.#waiting >= MAX_WAITING) return null;
    this.#waiting++;
    try {
      await this.#pace.next();
      // An earlier caller may have cached the answer while this one waited.
      return this.#cachedBody(path) ?? (await this.#fetch(path));
    } finally {
      this.#waiting--;
    }
  }

  #cachedBody(path: string): string | undefined {
    const oldest = nowMs(this.env) - MAX_AGE_MS;
    const [row] = this.ctx.storage.sql.exec("SELECT body FROM answer WHERE path = ? AND cached_at > ?", path, oldest);
    return row ? String(row.body) : undefined;
  }

  async #fetch(path: string): Promise<string | null> {
    const url = String(this.env.GEOCODER_URL).replace(/\/$/, "") + path;
    const headers = { "User-Agent": "fleet-monitoring-api" };
    const body = await withTimeLimit(TIMEOUT_MS, async (signal) => {
      const answer = await fetch(url, { headers, signal });
      return answer.ok ? answer.text() : null;
    }).catch(() => null);
    if (body === null) {
      // After a failure further callers get null at once until the pause ends.
      this.#pace.rest(REST_AFTER_FAILURE_MS);
      this.#waiting += MAX_WAITING;
      setTimeout(() => {
        this.#waiting -= MAX_WAITING;
      }, REST_AFTER_FAILURE_MS);
      return null;
    }
    if (body.length <= MAX_CACHED_CHARACTERS) this.#cache(path, body);
    return body;
  }

  #cache(path: string, body: string) {
    const { sql } = this.ctx.storage;
    sql.exec("INSERT OR REPLACE INTO answer (path, body, cached_at) VALUES (?, ?, ?)", path, body, nowMs(this.env));
    sql.exec("DELETE FROM answer WHERE id <= (SELECT max(id) FROM answer) - ?", MAX_CACHED_ANSWERS);
  }
}

/** The terms of public Nominatim servers allow one request per second. */
const MIN_INTERVAL_MS = 1000;
const MAX_WAITING = 3;
const TIMEOUT_MS = 5000;
const REST_AFTER_FAILURE_MS = 30_000;
const MAX_AGE_MS = 30 * DAY_MS;
const MAX_CACHED_ANSWERS = 100_000;
const MAX_CACHED_CHARACTERS = 100_000;
