/** What a device told last, and when by its own clock, in UTC milliseconds. */
export type LastReadings = {
  /** By the names that it gave; at most a hundred. */
  values: Record<string, { value: string; updated: number }>;
  /** Bit 0 is input 1. */
  inputs: { mask: number; updated: number } | null;
  battery: { level: number; updated: number } | null;
  /** By our clock. */
  last_message: number | null;
};
