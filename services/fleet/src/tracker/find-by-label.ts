import type { Offence } from "#shared/error/api-error.ts";

/** A tracker as a row may name it. */
export type LabelledTracker = { id: number; label: string; blocked: boolean };

/** The one tracker in use that has the label; else null and an error. */
export function findTrackerByLabel(
  label: string,
  byLabel: Map<string, LabelledTracker[]>,
  errors: Offence[],
): number | null {
  const found = byLabel.get(label) ?? [];
  const [tracker] = found;
  if (found.length === 1 && tracker && !tracker.blocked) return tracker.id;
  const error = found.length > 1 ? "is the label of several trackers" : "is not the label of a tracker in use";
  errors.push({ parameter: "tracker_label", error });
  return null;
}
