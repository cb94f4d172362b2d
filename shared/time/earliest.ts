/** The earliest time that a device or a phone may report. No supported one is older; an unset clock shows 1970 or 1980. */
export const EARLIEST_MS = Date.UTC(2000, 0, 1);
