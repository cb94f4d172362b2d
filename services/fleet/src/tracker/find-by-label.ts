import type { Offence } from "#shared/error/api-error.ts";

/** A tracker found by the label that a row names. */
export type LabelledTracker = { id: number; label: string; blocked: boolean };

/** The id of the only tracker with the label; null and an error when there is none, several, or a blocked one. */
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
