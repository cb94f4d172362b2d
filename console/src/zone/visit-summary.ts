/** A time that a tracker spent in a zone; `to` is null while it is still inside. */
type Visit = { tracker_id: number; from: string; to: string | null };
export type VisitSummary = {
  id: number;
  label: string;
  count: number;
  seconds: number;
  /** When the last visit began. */
  last: string;
  isInside: boolean;
};

/** The visits of each tracker taken together, the latest visitor first. */
export function summarize(visits: Visit[], trackers: { id: number; label: string }[], now: number): VisitSummary[] {
  const labels = new Map(trackers.map(({ id, label }) => [id, label]));
  const byTracker = Map.groupBy(visits, ({ tracker_id }) => tracker_id);
  return [...byTracker]
    .map(([id, own]) => ({
      id,
      label: labels.get(id) ?? String(id),
      count: own.length,
      seconds: own.reduce((sum, { from, to }) => sum + ((to ? Date.parse(to) : now) - Date.parse(from)) / 1000, 0),
      last: own.reduce(
        (latest, { from }) => (Date.parse(from) > Date.parse(latest) ? from : latest),
        own[0]?.from ?? "",
      ),
      isInside: own.some(({ to }) => to === null),
    }))
    .toSorted((one, other) => Date.parse(other.last) - Date.parse(one.last));
}
