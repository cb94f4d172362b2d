import type { DriverShift } from "#shared/contract/report-source.ts";
import type { Writer } from "../layout/writer.ts";

/** A function that answers the driver at a moment. */
export function createDriverLookup(shifts: DriverShift[], { words }: Writer): (ms: number) => string {
  const nobody = words("No driver", "Kein Fahrer");
  return (ms) => {
    // Before the first change of the range, its previous driver was on the tracker.
    const before = shifts[0] && ms < shifts[0].time ? shifts[0].before : undefined;
    return before || shifts.findLast(({ time }) => time <= ms)?.driver || nobody;
  };
}
