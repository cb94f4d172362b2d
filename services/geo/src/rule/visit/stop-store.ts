import type { Stop, StopList, VisitReport } from "#shared/contract/visit.ts";
import { type Reach, reachOf } from "./stop-reach.ts";
import { NO_VISITS, type Progress, type Visits } from "./visits.ts";

/** What is stored of a stop. */
type Entry = {
  stop: Stop;
  visits: Visits;
  /** What tasks are to know, and under which revision. */
  progress: Progress | null;
  revision: number;
  /** What they know, and since when. */
  told: { progress: Progress; revision: number; at: number } | null;
};
export type FollowedStop = Entry & { reach: Reach };
/** What of the tracker's work is known: of which account, and as of which revision. */
type StopsVersion = { account_id: number; revision: number; is_whole: boolean; at: number };

/** The stops that a feed follows with their visits; in its storage beside the points that these follow from. */
export class StopBook {
  #storage: DurableObjectStorage;
  #known: StopsVersion | null;
  #stops: Map<number, FollowedStop> | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    storage.sql.exec("CREATE TABLE IF NOT EXISTS stop (task_id INTEGER PRIMARY KEY, entry TEXT NOT NULL)");
    this.#known = storage.kv.get<StopsVersion>("work") ?? null;
  }

  get isEmpty(): boolean {
    // Whoever never had a stop has nothing to read.
    return this.#known === null || this.#all.size === 0;
  }

  get all(): FollowedStop[] {
    return this.isEmpty ? [] : [...this.#all.values()];
  }

  /** Whether the stops are older than the revision, or were too many to know all of them. */
  isOlder(account_id: number, revision: number, now: number): boolean {
    const known = this.#known;
    if (!known || known.account_id !== account_id) return revision > 0;
    return revision > known.revision || (!known.is_whole && now - known.at > AGAIN_MS);
  }

  /** What the stops are from now on; those that are other ones than before are answered, as nothing is known of them. */
  replace(account_id: number, { stops, ...list }: StopList, now: number): FollowedStop[] {
    this.#known ??= { account_id, revision: 0, is_whole: true, at: now };
    const before = this.#all;
    const fresh = stops.filter((stop) => JSON.stringify(before.get(stop.task_id)?.stop) !== JSON.stringify(stop));
    const ids = new Set(stops.map(({ task_id }) => task_id));
    for (const id of [...before.keys()]) if (!ids.has(id)) this.#remove(id);
    this.#known = { account_id, ...list, at: now };
    this.#storage.kv.put("work", this.#known);
    return fresh.map((stop) => {
      const entry = { stop, visits: NO_VISITS, progress: null, revision: 0, told: null };
      return this.put({ ...entry, reach: reachOf(stop) });
    });
  }

  put(followed: FollowedStop): FollowedStop {
    const { reach, ...entry } = followed;
    this.#storage.sql.exec(
      "INSERT INTO stop VALUES (?, ?) ON CONFLICT (task_id) DO UPDATE SET entry = excluded.entry",
      entry.stop.task_id,
      JSON.stringify(entry),
    );
    this.#all.set(entry.stop.task_id, followed);
    return followed;
  }

  /** That tasks have the report. What has become of the stop since stays untold. */
  told({ stop, revision, ...progress }: VisitReport, now: number) {
    const followed = this.#all.get(stop.task_id);
    if (followed) this.put({ ...followed, told: { progress, revision, at: now } });
  }

  /** Those that no point changes any more. */
  forgetBefore(deadline: number) {
    for (const { stop } of this.all) if (stop.deadline < deadline) this.#remove(stop.task_id);
  }

  get #all(): Map<number, FollowedStop> {
    this.#stops ??= new Map(
      this.#storage.sql
        .exec<{ task_id: number; entry: string }>("SELECT task_id, entry FROM stop ORDER BY task_id")
        .toArray()
        .map(({ task_id, entry }) => [task_id, followedOf(JSON.parse(entry))]),
    );
    return this.#stops;
  }

  #remove(task_id: number) {
    this.#storage.sql.exec("DELETE FROM stop WHERE task_id = ?", task_id);
    this.#all.delete(task_id);
  }
}

function followedOf(entry: Entry): FollowedStop {
  return { ...entry, reach: reachOf(entry.stop) };
}

/** A tracker with more stops than a feed follows is asked for anew so often. */
const AGAIN_MS = 3_600_000;
