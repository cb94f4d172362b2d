import type { Drive } from "#shared/contract/point/drive.ts";

type Change = { changed: number; employee_id: number | null };
type Entry = { start_date: number; end_date: number };

type ProposalInputs = {
  /** Driver changes in time order. The first may be older than all drives: it tells who drove at their beginning. */
  changes: Change[];
  entries: Entry[];
  /** The odometer at `time`, from the values that its quantities had at that moment; null without an odometer. */
  odometerAt(time: number, values: number[] | null): number | null;
};

/** Turns drives into entries that `/driver/journal/entry/create` would accept. */
export function propose(tracker_id: number, drives: Drive[], { changes, entries, odometerAt }: ProposalInputs) {
  return drives.map(({ start_time, end_time, start, end, length_meters, start_values, end_values }) => {
    // Entries have whole seconds.
    const [start_date, end_date] = [wholeSecond(start_time), wholeSecond(end_time)];
    return {
      tracker_id,
      employee_id: changes.findLast(({ changed }) => changed <= start_time)?.employee_id ?? null,
      ...{ start_date, end_date },
      start_location: start,
      end_location: end,
      length: Math.round(length_meters) / 1000,
      start_odometer: odometerAt(start_time, start_values),
      end_odometer: odometerAt(end_time, end_values),
      overlapped: entries.some((entry) => entry.start_date < end_date && entry.end_date > start_date),
    };
  });
}

function wholeSecond(time: number) {
  return Math.floor(time / 1000) * 1000;
}
