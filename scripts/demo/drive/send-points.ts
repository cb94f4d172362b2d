import type { Request } from "../client.ts";
import type { MotionAt } from "./circuit.ts";
import { readingsAt } from "./readings.ts";
import type { FleetVehicle } from "./vehicles.ts";

/** Sends points of a device; true unless the system refuses the device, as it does once a user deleted or blocked it. */
export type SendPoints = (device_id: string, points: object[]) => Promise<boolean>;

/** The most points that `/ingest/points` takes in one request. */
const MAX_POINTS_PER_REQUEST = 1000;
const REFUSED_STATUSES = [403, 404];

/** Sends to `/ingest/points`, as a device with a buffer does. */
export function pointSender(baseUrl: string, request: Request = fetch): SendPoints {
  return async (device_id, points) => {
    for (let next = 0; next < points.length; next += MAX_POINTS_PER_REQUEST) {
      const body = JSON.stringify({ device_id, points: points.slice(next, next + MAX_POINTS_PER_REQUEST) });
      const headers = { "Content-Type": "application/json" };
      const answer = await request(`${baseUrl}/ingest/points`, { method: "POST", headers, body });
      const text = await answer.text();
      if (REFUSED_STATUSES.includes(answer.status)) return false;
      if (!answer.ok) throw new Error(`/ingest/points answered ${answer.status}: ${text}`);
    }
    return true;
  };
}

/** A point in the form of `/ingest/points`. */
export function toPoint(vehicle: FleetVehicle, { time, lat, lng, speed, heading, ...motion }: MotionAt) {
  const readings = readingsAt(vehicle, { lat, lng, speed, heading, ...motion }, time);
  return { time, lat, lng, speed, heading, satellites: 11, ...readings };
}
