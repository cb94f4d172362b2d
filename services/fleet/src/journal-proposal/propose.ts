import type { Drive } from "#shared/drive.ts";

type Change = { changed: number; employee_id: number | null };
type Entry = { start_date: number; end_date: number };

/** The drives as entries that create would take; `changes` are in time order, the first may be from before all drives. */
export function propose(tracker_id: number, drives: Drive[], changes: Change[], entries: Entry[]) {
  return drives.map(({ start_time, end_time, start, end, length_meters }) => {
    // Entries hold whole seconds.
    const [start_date, end_date] = [wholeSecond(start_time), wholeSecond(end_time)];
    return {
      tracker_id,
      employee_id: changes.findLast(({ changed }) => changed <= start_time)?.employee_id ?? null,
      ...{ start_date, end_date },
      start_location: { ...start, address: "" },
      end_location: { ...end, address: "" },
      length: Math.round(length_meters) / 1000,
      start_odometer: null,
      end_odometer: null,
      overlapped: entries.some((entry) => entry.start_date < end_date && entry.end_date > start_date),
    };
  });
}

function wholeSecond(time: number) {
  return Math.floor(time / 1000) * 1000;
}
