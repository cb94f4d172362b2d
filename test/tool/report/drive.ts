import { HOUR_MS } from "../../../shared/time/duration.ts";
import { recordedTrack } from "../point/recorded.ts";
import { between, type Fix } from "./plain.ts";
import { MIDNIGHT } from "./report.ts";

/**
 * The points of a recording, moved to three days ago at eight. Speeds follow from the steps, in whole km/h. An engine and a
 * pump turn on and off along the drive, the temperature rises and falls, and fuel is used and filled in.
 */
export function fixesOf(file: string): Fix[] {
  const points = recordedTrack(file);
  const first = points[0]?.time ?? 0;
  return points.map(({ lat, lng, time }, index) => {
    const before = points[index - 1] ?? { lat, lng, time: time - 1 };
    const speed = Math.min(200, Math.round((between(before, { lat, lng }) * HOUR_MS) / (time - before.time)));
    const inputs = [index % 40 < 32, index % 15 < 9];
    const lls_level_1 = 50 - index * 0.005 + (index >= points.length / 2 ? 30 : 0);
    const attributes = { ext_temp_sensor_1: (index * 37) % 200, lls_level_1, flow_1: index * 2 };
    return { time: time - first + MIDNIGHT + 8 * HOUR_MS, lat, lng, speed, inputs, attributes };
  });
}
