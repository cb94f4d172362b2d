import type { NewEvent } from "#shared/contract/event.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../../env.ts";
import { addressBook, languageOf } from "../../geocoder/geocode.ts";
import { logFailure } from "../../log-failure.ts";
import type { Alarm } from "../../object/alarm.ts";

/** An event that rules made, `found` being the time of the point that showed it. */
export type MadeEvent = { rule_id: number; key: string; found: number; mark: string; event: NewEvent };
type StandingEvent = { id: number; rule_id: number; key: string; mark: string; tried: number; event: string };

/** What rules found: it stands beside the points that it follows from until history has it, and a while longer. */
export class RuleEvents {
  #sql: SqlStorage;
  #env: GeoEnv;
  #alarm: Alarm;

  constructor({ sql }: DurableObjectStorage, env: GeoEnv, alarm: Alarm) {
    this.#sql = sql;
    this.#env = env;
    this.#alarm = alarm;
    sql.exec(
      `CREATE TABLE IF NOT EXISTS rule_event (id INTEGER PRIMARY KEY AUTOINCREMENT, rule_id INTEGER NOT NULL, key TEXT NOT NULL,
        found REAL NOT NULL, mark TEXT, event TEXT NOT NULL, tried INTEGER NOT NULL DEFAULT 0, told INTEGER NOT NULL DEFAULT 0)`,
    );
    sql.exec("CREATE INDEX IF NOT EXISTS rule_event_found ON rule_event (found) WHERE mark IS NOT NULL");
    sql.exec("CREATE INDEX IF NOT EXISTS rule_event_untold ON rule_event (id) WHERE told = 0");
  }

  /**
   * What was found behind `after` is what the points behind it show now: what is new is told, and what is not so any
   * more is corrected. Rules that are not among `keys` are left as they are.
   */
  replace(after: number, made: MadeEvent[], keys: Map<number, string>) {
    const known = this.#foundAfter(after).filter(({ rule_id, key }) => keys.get(rule_id) === key);
    const fresh = new Map(made.map((one) => [`${one.rule_id} ${one.mark}`, one]));
    for (const one of known) {
      if (!fresh.delete(`${one.rule_id} ${one.mark}`)) this.#correct(one);
    }
    for (const one of fresh.values()) this.#put(one.rule_id, one.key, one.found, one.mark, one.event);
    if (fresh.size > 0 || known.length > 0) this.#tellSoon();
  }

  /** An event that no point can change. */
  add(rule_id: number, event: NewEvent) {
    this.#put(rule_id, "", Number.MAX_SAFE_INTEGER, null, event);
    this.#tellSoon();
  }

  /** What is told twice, as the answer got lost or the process died, history knows by its id. */
  async tell() {
    // Before anything can go wrong.
    this.#alarm.schedule(PAUSE_MS, "events_at");
    try {
      while (await this.#tellSome());
      this.#alarm.cancel("events_at");
    } catch (thrown) {
      logFailure(thrown);
    }
  }

  /** What no late point changes any more. */
  forgetBefore(found: number) {
    this.#sql.exec("DELETE FROM rule_event WHERE told = 1 AND (mark IS NULL OR found < ?)", found);
  }

  async #tellSome(): Promise<boolean> {
    const rows = this.#sql
      .exec<{ id: number; event: string }>(
        "SELECT id, event FROM rule_event WHERE told = 0 ORDER BY id LIMIT ?",
        MOST_TOLD,
      )
      .toArray();
    const last = rows.at(-1);
    if (!last) return false;
    // From here on history may have them.
    this.#sql.exec("UPDATE rule_event SET tried = 1 WHERE told = 0 AND id <= ?", last.id);
    await this.#env.FLEET.storeEvents(await this.#addressed(rows.map(({ event }) => JSON.parse(event))));
    this.#sql.exec("UPDATE rule_event SET told = 1 WHERE told = 0 AND tried = 1 AND id <= ?", last.id);
    // More may have come meanwhile.
    return true;
  }

  /** Each with the address of where it happened, as far as the gazetteer answers: nobody's language is known here. */
  async #addressed(events: NewEvent[]): Promise<NewEvent[]> {
    const addressAt = await addressBook(
      this.#env,
      events.flatMap(({ location }) => location ?? []),
      languageOf(undefined),
    );
    return events.map((event) =>
      event.location ? { ...event, address: addressAt(event.location.lat, event.location.lng) } : event,
    );
  }

  #correct({ id, rule_id, tried, event }: StandingEvent) {
    if (tried === 0) {
      this.#sql.exec("DELETE FROM rule_event WHERE id = ?", id);
      return;
    }
    // Written by `put`.
    const wrong: NewEvent = JSON.parse(event);
    this.#sql.exec("UPDATE rule_event SET mark = NULL WHERE id = ?", id);
    const { emails, ...rest } = wrong;
    this.add(rule_id, {
      ...rest,
      event: "corrected",
      event_id: `${wrong.event_id}-corrected`,
      message: wrong.message,
      corrects: wrong.event_id,
    });
  }

  #put(rule_id: number, key: string, found: number, mark: string | null, event: NewEvent) {
    const { id } = this.#sql
      .exec<{ id: number }>(
        "INSERT INTO rule_event (rule_id, key, found, mark, event) VALUES (?, ?, ?, ?, '') RETURNING id",
        ...[rule_id, key, found, mark],
      )
      .one();
    // Another one like it, after a correction, is another event; one that has an id of its own is the same whenever told.
    const event_id = event.event_id || `rule-${event.tracker_id}-${id}`;
    this.#sql.exec("UPDATE rule_event SET event = ? WHERE id = ?", JSON.stringify({ ...event, event_id }), id);
  }

  #foundAfter(after: number): StandingEvent[] {
    return this.#sql
      .exec<StandingEvent>(
        "SELECT id, rule_id, key, mark, tried, event FROM rule_event WHERE mark IS NOT NULL AND found > ? ORDER BY id",
        Math.max(after, Number.MIN_SAFE_INTEGER),
      )
      .toArray();
  }

  #tellSoon() {
    this.#alarm.schedule(0, "events_at");
  }
}

const MOST_TOLD = 200;
/** Until history is told again. */
const PAUSE_MS = MINUTE_MS / 4;
