import { systemNow } from "../../../shared/time/clock.ts";
import { DAY_MS, SECOND_MS } from "../../../shared/time/duration.ts";

/** Degrees of latitude in ten seconds at 36 km/h. */
const STEP = 0.0009;

/** Points ten seconds apart that begin two days ago; each tenth point is a cell tower's. */
export function pointsOfADrive(count: number) {
  const start = Math.floor(systemNow() / DAY_MS - 2) * DAY_MS;
  return Array.from({ length: count }, (_, index) => ({
    time: start + index * 10 * SECOND_MS,
    lat: 40 + index * STEP,
    lng: 8,
    speed: 36,
    gsm_lbs: index % 10 === 5,
  }));
}
