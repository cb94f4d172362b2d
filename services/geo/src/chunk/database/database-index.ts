/**
 * In which of the databases the points of a tracker are, counted from 0. `starts` are those of the second one and of all
 * further ones: the first tracker that was made when it was there. Trackers live in turn in all that there were when
 * they were made, and stay there, however many come later.
 */
export function databaseIndexOf(tracker_id: number, starts: readonly number[]): number {
  return tracker_id % (1 + starts.filter((start) => start <= tracker_id).length);
}

/** As `DB_STARTS` has them: numbers with commas between. */
export function parseStarts(text: string | undefined): number[] {
  return text ? text.split(",").map(Number) : [];
}
