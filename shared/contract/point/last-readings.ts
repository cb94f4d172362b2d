/** The last values that a device sent, with their times by the device's clock in UTC milliseconds. */
export type LastReadings = {
  /** At most 100 values, by the names that the device uses. */
  values: Record<string, { value: string; updated: number }>;
  /** Bit 0 is input 1. */
  inputs: { mask: number; updated: number } | null;
  battery: { level: number; updated: number } | null;
  /** Time of the last message, by our clock. */
  last_message: number | null;
};
