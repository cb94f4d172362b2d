import { isObject } from "#shared/body/json.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { type Point, UNMEASURED } from "../point/point.ts";
import { keyOf, readDeviceId } from "./device.ts";
import { firstOf } from "./fields.ts";
import { groupByDevice, type IngestRequest, type ParsedMessage } from "./message.ts";
import {
  batteryLevel,
  MAX_ALTITUDE_M,
  MAX_PRECISION_M,
  MAX_SPEED_KMH,
  measuredNumber,
  optionalNumber,
  requiredNumber,
} from "./number.ts";
import { optionalText } from "./text.ts";
import { readTime } from "./time.ts";

/**
 * OwnTracks (owntracks.org/booklet/tech/json, `_type=location`): one location a request. Other messages and empty bodies
 * (tech/http) are acknowledged and ignored, as the app would repeat them for ever.
 */
export function parseOwnTracks(received: IngestRequest): ParsedMessage[] {
  const { json } = received;
  if (json === undefined) return [];
  if (!isObject(json)) throw new ApiError(5);
  if (typeof json._type !== "string") throw invalid("_type", "must be a text");
  if (json._type !== "location") return [];

  const time = readTime(json.tst, "tst", received);
  const point: Point = {
    ...UNMEASURED,
    time,
    lat: requiredNumber(json.lat, "lat", -90, 90),
    lng: requiredNumber(json.lon, "lon", -180, 180),
    speed: measuredNumber(json.vel, "vel", MAX_SPEED_KMH),
    heading: measuredNumber(json.cog, "cog", 360),
    alt: optionalNumber(json.alt, "alt", -MAX_ALTITUDE_M, MAX_ALTITUDE_M),
    precision: measuredNumber(json.acc, "acc", MAX_PRECISION_M),
  };
  const facts = {
    time,
    battery_level: batteryLevel(json.batt, "batt", 100),
    charging: chargingOf(json.bs),
    event: optionalText(json.t, "t"),
  };
  return groupByDevice([{ device_id: deviceOf(json, received), point, facts }], keyOf(received));
}

function deviceOf({ topic, tid }: Record<string, unknown>, { query, header }: IngestRequest): string {
  const lastPart = typeof topic === "string" ? topic.split("/").at(-1) : undefined;
  return readDeviceId("id", firstOf(query, "id"), header("X-Limit-D"), lastPart, tid);
}

/** The battery status `bs` of `_type=location`: 1 unplugged, 2 charging, 3 full, else unknown. */
function chargingOf(status: unknown): boolean | undefined {
  if (status === 1) return false;
  return status === 2 || status === 3 ? true : undefined;
}
