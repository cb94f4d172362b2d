/** How far the server's clock is ahead of the device's, in ms: the clock of a device may be wrong by hours. */
let aheadMs = 0;

/** The present time by the server's clock, in ms. */
export function serverNow(): number {
  return deviceNow() + aheadMs;
}

/** Reads the server's time from the `Date` header of a response, which has whole seconds. */
export function noteServerTime(response: Response) {
  const date = Date.parse(response.headers.get("Date") ?? "");
  if (Number.isNaN(date)) return;
  const measuredMs = date - deviceNow();
  // Smaller differences come from the network and from the missing milliseconds.
  aheadMs = Math.abs(measuredMs) > TOLERANCE_MS ? measuredMs : 0;
}

function deviceNow() {
  return Date.now();
}

const TOLERANCE_MS = 5_000;
