import type { NewEvent } from "#shared/contract/event/event.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../../env.ts";
import { languageOf, readAddresses } from "../../geocoder/geocode.ts";
import { logFailure } from "../../log-failure.ts";
import type { Alarm } from "../../object/alarm.ts";

/**
 * A new event of a rule. `pointTime` is the time of the point that showed it; `fingerprint` identifies it within its
 * rule.
 */
export type NewRuleEvent = { rule_id: number; key: string; pointTime: number; fingerprint: string; event: NewEvent };
type StoredEvent = { id: number; rule_id: number; key: string; fingerprint: string; attempted: number; event: string };

/**
 * Stores events of rules beside the feed's points until they are delivered to history, and until late points cannot
 * change them.
 */
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
        point_time REAL NOT NULL, fingerprint TEXT, event TEXT NOT NULL,
        attempted INTEGER NOT NULL DEFAULT 0, delivered INTEGER NOT NULL DEFAULT 0)`,
    );
    sql.exec(
      "CREATE INDEX IF NOT EXISTS rule_event_point_time ON rule_event (point_time) WHERE fingerprint IS NOT NULL",
    );
    sql.exec("CREATE INDEX IF NOT EXISTS rule_event_undelivered ON rule_event (id) WHERE delivered = 0");
  }

  /**
   * Replaces the events of points after `after`, up to `until`, by those that the points show now: new events are
   * delivered, wrong ones corrected. Events of rules that are not among `keys` stay.
   */
  replace({ after, until }: { after: number; until: number }, events: NewRuleEvent[], keys: Map<number, string>) {
    this.#leaveToNextTurn(after, until);
    const stored = this.#storedWithin(after, until).filter(({ rule_id, key }) => keys.get(rule_id) === key);
    const newEvents = new Map(events.map((one) => [`${one.rule_id} ${one.fingerprint}`, one]));
    for (const one of stored) {
      if (!newEvents.delete(`${one.rule_id} ${one.fingerprint}`)) this.#correct(one);
    }
    for (const one of newEvents.values()) this.#insert(one.rule_id, one.key, one.pointTime, one.fingerprint, one.event);
    if (newEvents.size > 0 || stored.length > 0) this.#scheduleDelivery();
  }

  /** Adds an event that late points cannot change. */
  add(rule_id: number, event: NewEvent) {
    this.#insert(rule_id, "", Number.MAX_SAFE_INTEGER, null, event);
    this.#scheduleDelivery();
  }

  /**
   * Delivers stored events. History ignores ids that it knows, so an event may be delivered twice after a lost answer.
   */
  async deliver() {
    // Scheduled first, so that a failure or a crash leads to another attempt.
    this.#alarm.schedule(RETRY_DELAY_MS, "events_at");
    try {
      while (await this.#deliverBatch());
      this.#alarm.cancel("events_at");
    } catch (thrown) {
      logFailure(thrown);
    }
  }

  /** Deletes delivered events of points before `pointTime`, which late points cannot change. */
  deleteBefore(pointTime: number) {
    this.#sql.exec("DELETE FROM rule_event WHERE delivered = 1 AND (fingerprint IS NULL OR point_time < ?)", pointTime);
  }

  async #deliverBatch(): Promise<boolean> {
    const rows = this.#sql
      .exec<{ id: number; event: string }>(
        "SELECT id, event FROM rule_event WHERE delivered = 0 ORDER BY id LIMIT ?",
        MAX_EVENTS_PER_DELIVERY,
      )
      .toArray();
    const last = rows.at(-1);
    if (!last) return false;
    // The call may store the events even when its answer is lost: they can no longer be deleted silently.
    this.#sql.exec("UPDATE rule_event SET attempted = 1 WHERE delivered = 0 AND id <= ?", last.id);
    await this.#env.FLEET.storeEvents(await this.#withAddresses(rows.map(({ event }) => JSON.parse(event))));
    this.#sql.exec("UPDATE rule_event SET delivered = 1 WHERE delivered = 0 AND attempted = 1 AND id <= ?", last.id);
    // More events may have been added in between.
    return true;
  }

  /** Adds addresses from the gazetteer, in English: the readers' languages are unknown here. */
  async #withAddresses(events: NewEvent[]): Promise<NewEvent[]> {
    const addressAt = await readAddresses(
      this.#env,
      events.flatMap(({ location }) => location ?? []),
      languageOf(undefined),
    );
    return events.map((event) =>
      event.location ? { ...event, address: addressAt(event.location.lat, event.location.lng) } : event,
    );
  }

  #correct({ id, rule_id, attempted, event }: StoredEvent) {
    if (attempted === 0) {
      this.#sql.exec("DELETE FROM rule_event WHERE id = ?", id);
      return;
    }
    // Written by `#insert`.
    const wrong: NewEvent = JSON.parse(event);
    this.#sql.exec("UPDATE rule_event SET fingerprint = NULL WHERE id = ?", id);
    const { emails, ...rest } = wrong;
    this.add(rule_id, {
      ...rest,
      event: "corrected",
      event_id: `${wrong.event_id}-corrected`,
      message: wrong.message,
      corrects: wrong.event_id,
    });
  }

  #insert(rule_id: number, key: string, pointTime: number, fingerprint: string | null, event: NewEvent) {
    const { id } = this.#sql
      .exec<{ id: number }>(
        "INSERT INTO rule_event (rule_id, key, point_time, fingerprint, event) VALUES (?, ?, ?, ?, '') RETURNING id",
        ...[rule_id, key, pointTime, fingerprint],
      )
      .one();
    // An event that is found again after its correction is a new event with a new id. Ids that callers chose are kept.
    const event_id = event.event_id || `rule-${event.tracker_id}-${id}`;
    this.#sql.exec("UPDATE rule_event SET event = ? WHERE id = ?", JSON.stringify({ ...event, event_id }), id);
  }

  /** Events that time alone caused after `until` are compared with those that later points and the clock show. */
  #leaveToNextTurn(after: number, until: number) {
    if (until === Number.POSITIVE_INFINITY) return;
    this.#sql.exec(
      `UPDATE rule_event SET point_time = ? WHERE fingerprint IS NOT NULL AND point_time > ? AND point_time <= ?
        AND event ->> 'time' > ?`,
      ...[until + 1, Math.max(after, Number.MIN_SAFE_INTEGER), until, until],
    );
  }

  #storedWithin(after: number, until: number): StoredEvent[] {
    return this.#sql
      .exec<StoredEvent>(
        "SELECT id, rule_id, key, fingerprint, attempted, event FROM rule_event WHERE fingerprint IS NOT NULL AND point_time > ? AND point_time <= ? ORDER BY id",
        Math.max(after, Number.MIN_SAFE_INTEGER),
        Math.min(until, Number.MAX_SAFE_INTEGER),
      )
      .toArray();
  }

  #scheduleDelivery() {
    this.#alarm.schedule(0, "events_at");
  }
}

const MAX_EVENTS_PER_DELIVERY = 200;
/** Delay until the next attempt to deliver. */
const RETRY_DELAY_MS = MINUTE_MS / 4;
