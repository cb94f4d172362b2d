import { isObject } from "#shared/body/json.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { type Point, UNMEASURED } from "../point/point.ts";
import { keyOf, readDeviceId } from "./device.ts";
import { firstOf } from "./fields.ts";
import { groupByDevice, type IngestRequest, MAX_POINTS, type ParsedMessage, type Report } from "./message.ts";
import {
  batteryLevel,
  MAX_ALTITUDE_M,
  MAX_PRECISION_M,
  MAX_SPEED_KMH,
  measuredNumber,
  optionalNumber,
  requiredNumber,
} from "./number.ts";
import { readTime } from "./time.ts";

/** Overland (README of aaronpk/Overland-iOS, API): a batch of GeoJSON features, each naming its device. */
export function parseOverland(received: IngestRequest): ParsedMessage[] {
  const { json } = received;
  if (!isObject(json)) throw new ApiError(5);
  const { locations } = json;
  if (!Array.isArray(locations)) throw invalid("locations", "must be an array");
  const reports = locations
    .map((feature, index) => reportOf(feature, `locations.${index}`, received))
    .filter((report) => report !== null);
  if (reports.length > MAX_POINTS) throw invalid("locations", `must be at most ${MAX_POINTS}`);
  return groupByDevice(reports, keyOf(received));
}

const KMH_PER_METER_PER_SECOND = 3.6;

/** Null for a feature without a position: visits and notifications of the app. */
function reportOf(feature: unknown, path: string, received: IngestRequest): Report | null {
  if (!isObject(feature)) throw invalid(path, "must be an object");
  const { geometry } = feature;
  if (geometry === undefined || geometry === null) return null;
  if (!isObject(geometry) || geometry.type !== "Point" || !Array.isArray(geometry.coordinates)) {
    throw invalid(`${path}.geometry`, "must be a GeoJSON Point");
  }
  const properties = feature.properties ?? {};
  if (!isObject(properties)) throw invalid(`${path}.properties`, "must be an object");

  const at = `${path}.properties.`;
  const time = readTime(properties.timestamp, `${at}timestamp`, received);
  const speed = measuredNumber(properties.speed, `${at}speed`, MAX_SPEED_KMH / KMH_PER_METER_PER_SECOND);
  const [lng, lat] = geometry.coordinates;
  const point: Point = {
    ...UNMEASURED,
    time,
    lat: requiredNumber(lat, `${path}.geometry.coordinates.1`, -90, 90),
    lng: requiredNumber(lng, `${path}.geometry.coordinates.0`, -180, 180),
    speed: speed === null ? null : speed * KMH_PER_METER_PER_SECOND,
    heading: measuredNumber(properties.course, `${at}course`, 360),
    alt: optionalNumber(properties.altitude, `${at}altitude`, -MAX_ALTITUDE_M, MAX_ALTITUDE_M),
    precision: measuredNumber(properties.horizontal_accuracy, `${at}horizontal_accuracy`, MAX_PRECISION_M),
  };
  return {
    device_id: readDeviceId(`${at}device_id`, properties.device_id, firstOf(received.query, "id")),
    point,
    facts: {
      time,
      battery_level: batteryLevel(properties.battery_level, `${at}battery_level`, 1),
      charging: chargingOf(properties.battery_state),
    },
  };
}

function chargingOf(state: unknown): boolean | undefined {
  if (state === "unplugged") return false;
  return state === "charging" || state === "full" ? true : undefined;
}
