import type { Stop, StopList, VisitReport } from "#shared/contract/point/visit.ts";
import { type Reach, reachOf } from "./stop-reach.ts";
import { NO_VISITS, type Progress, type Visits } from "./visits.ts";

/** A stop as stored. */
type StoredStop = {
  stop: Stop;
  visits: Visits;
  /** The progress to report, and the revision of that report. */
  progress: Progress | null;
  revision: number;
  /** The last report that the tasks service received, and when. */
  delivered: { progress: Progress; revision: number; at: number } | null;
};
export type WatchedStop = StoredStop & { reach: Reach };
/** Which version of the tracker's tasks is stored: the account and the revision. */
type StopsVersion = { account_id: number; revision: number; is_whole: boolean; at: number };

/** Stops of the tracker's tasks with their visits, stored in its feed beside the points that the visits follow from. */
export class StopStore {
  #storage: DurableObjectStorage;
  #version: StopsVersion | null;
  #stops: Map<number, WatchedStop> | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    storage.sql.exec("CREATE TABLE IF NOT EXISTS stop (task_id INTEGER PRIMARY KEY, entry TEXT NOT NULL)");
    this.#version = storage.kv.get<StopsVersion>("work") ?? null;
  }

  get isEmpty(): boolean {
    // A tracker that never had a stop needs no query.
    return this.#version === null || this.#stopsById.size === 0;
  }

  get all(): WatchedStop[] {
    return this.isEmpty ? [] : [...this.#stopsById.values()];
  }

  /** Whether the stored stops are outdated, or incomplete because there were too many and due to be read again. */
  isOutdated(account_id: number, revision: number, now: number): boolean {
    const known = this.#version;
    if (!known || known.account_id !== account_id) return revision > 0;
    return revision > known.revision || (!known.is_whole && now - known.at > RELOAD_INTERVAL_MS);
  }

  /** Replaces the stops; answers the new and changed ones, which have no visits yet. */
  replace(account_id: number, { stops, ...list }: StopList, now: number): WatchedStop[] {
    this.#version ??= { account_id, revision: 0, is_whole: true, at: now };
    const before = this.#stopsById;
    const changed = stops.filter((stop) => JSON.stringify(before.get(stop.task_id)?.stop) !== JSON.stringify(stop));
    const ids = new Set(stops.map(({ task_id }) => task_id));
    for (const id of [...before.keys()]) if (!ids.has(id)) this.#remove(id);
    this.#version = { account_id, ...list, at: now };
    this.#storage.kv.put("work", this.#version);
    return changed.map((stop) => {
      const entry = { stop, visits: NO_VISITS, progress: null, revision: 0, delivered: null };
      return this.put({ ...entry, reach: reachOf(stop) });
    });
  }

  put(followed: WatchedStop): WatchedStop {
    const { reach, ...entry } = followed;
    this.#storage.sql.exec(
      "INSERT INTO stop VALUES (?, ?) ON CONFLICT (task_id) DO UPDATE SET entry = excluded.entry",
      entry.stop.task_id,
      JSON.stringify(entry),
    );
    this.#stopsById.set(entry.stop.task_id, followed);
    return followed;
  }

  /** Marks the report as delivered to the tasks service. Later changes remain to be reported. */
  markDelivered({ stop, revision, ...progress }: VisitReport, now: number) {
    const followed = this.#stopsById.get(stop.task_id);
    if (followed) this.put({ ...followed, delivered: { progress, revision, at: now } });
  }

  /** Deletes stops whose deadline passed so long ago that late points cannot change them. */
  deleteBefore(deadline: number) {
    for (const { stop } of this.all) if (stop.deadline < deadline) this.#remove(stop.task_id);
  }

  get #stopsById(): Map<number, WatchedStop> {
    this.#stops ??= new Map(
      this.#storage.sql
        .exec<{ task_id: number; entry: string }>("SELECT task_id, entry FROM stop ORDER BY task_id")
        .toArray()
        .map(({ task_id, entry }) => [task_id, toWatchedStop(JSON.parse(entry))]),
    );
    return this.#stops;
  }

  #remove(task_id: number) {
    this.#storage.sql.exec("DELETE FROM stop WHERE task_id = ?", task_id);
    this.#stopsById.delete(task_id);
  }
}

function toWatchedStop(entry: StoredStop): WatchedStop {
  return { ...entry, reach: reachOf(entry.stop) };
}

/** How often the stops are read again for a tracker that has more than a feed can hold. */
const RELOAD_INTERVAL_MS = 3_600_000;
