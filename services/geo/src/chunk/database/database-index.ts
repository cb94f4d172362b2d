/**
 * The database of a tracker's points, counted from 0. `starts` are the first tracker ids after each further database
 * was added. Trackers alternate between the databases that existed at their creation, and stay there.
 */
export function databaseIndexOf(tracker_id: number, starts: readonly number[]): number {
  return tracker_id % (1 + starts.filter((start) => start <= tracker_id).length);
}

/** Parses `DB_STARTS`: numbers separated by commas. */
export function parseStarts(text: string | undefined): number[] {
  return text ? text.split(",").map(Number) : [];
}
