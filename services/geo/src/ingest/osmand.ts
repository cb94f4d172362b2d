import { isObject } from "#shared/body/json.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { type Point, UNMEASURED } from "../point/point.ts";
import { type Attributes, readAttributes } from "./attributes.ts";
import { keyOf, readDeviceId } from "./device.ts";
import { firstOf } from "./fields.ts";
import {
  type Facts,
  groupByDevice,
  type IngestRequest,
  MAX_POINTS,
  type ParsedMessage,
  type Report,
} from "./message.ts";
import {
  batteryLevel,
  MAX_ALTITUDE_M,
  MAX_PRECISION_M,
  MAX_SPEED_KMH,
  measuredNumber,
  optionalFlag,
  optionalNumber,
  requiredNumber,
} from "./number.ts";
import { optionalText } from "./text.ts";
import { readTime } from "./time.ts";

/**
 * OsmAnd (traccar.org/osmand): query or form, one nested JSON object, or a JSON array of objects in either shape.
 */
export function parseOsmAnd(received: IngestRequest): ParsedMessage[] {
  return groupByDevice(reportsOf(received), keyOf(received));
}

function reportsOf(received: IngestRequest): Report[] {
  const { json, query, form } = received;
  if (json === undefined) {
    // A name in the body hides the same name in the query.
    const fields = form ? new Map([...query, ...form]) : query;
    return [flatReport(fields, "", received)];
  }
  if (isObject(json)) return [jsonReport(json, "", received)];
  if (!Array.isArray(json)) throw new ApiError(5);
  if (json.length > MAX_POINTS) throw invalid("", `must be at most ${MAX_POINTS} reports`);
  return json.map((item, index) => {
    if (!isObject(item)) throw invalid(`${index}`, "must be an object");
    return jsonReport(item, `${index}.`, received);
  });
}

/** Values by name, of a query, a form or a report in JSON. */
type Values = Map<string, unknown[]>;

function jsonReport(json: Record<string, unknown>, path: string, received: IngestRequest): Report {
  if ("location" in json && typeof json.location !== "string") return nestedReport(json, path, received);
  const fields = new Map(Object.entries(json).map(([name, value]) => [name, [value]]));
  return flatReport(fields, path, received);
}

const KMH_PER_METER_PER_SECOND = 3.6;
const KMH_PER_KNOT = 1.852;
const MAX_ODOMETER_M = 1e10;
const MAX_DILUTION = 1e6;

/** A report of named values (traccar.org/osmand, query / form format): speed in knots, `batt` in percent. */
function flatReport(fields: Values, path: string, received: IngestRequest): Report {
  const last = (name: string) => fields.get(name)?.at(-1);
  const own = [last("id"), last("deviceid"), last("device_id")];
  const device_id = readDeviceId(`${path}id`, ...own, firstOf(received.query, "id"));
  const timestamp = last("timestamp") ?? "";
  const time = timestamp === "" ? received.nowMs : readTime(timestamp, `${path}timestamp`, received);
  const facts: Facts = {
    time,
    battery_level: batteryLevel(last("batt"), `${path}batt`, 100),
    charging: optionalFlag(last("charge"), `${path}charge`),
  };
  const hdop = measuredNumber(last("hdop"), `${path}hdop`, MAX_DILUTION);
  const attributes = attributesOf(fields, hdop, path);

  // A fix that the device marks as invalid is an old or made-up position: only its facts are used.
  const valid = optionalFlag(last("valid"), `${path}valid`) ?? true;
  const position = valid ? positionOf(last("lat"), last("lon"), last("location"), path) : null;
  if (!position) return { device_id, point: null, facts: attributes ? { ...facts, attributes } : facts };

  const heading = last("bearing") === undefined ? "heading" : "bearing";
  const speed = measuredNumber(last("speed"), `${path}speed`, MAX_SPEED_KMH / KMH_PER_KNOT);
  const point: Point = {
    ...UNMEASURED,
    ...position,
    time,
    speed: speed === null ? null : speed * KMH_PER_KNOT,
    heading: measuredNumber(last(heading), `${path}${heading}`, 360),
    alt: optionalNumber(last("altitude"), `${path}altitude`, -MAX_ALTITUDE_M, MAX_ALTITUDE_M),
    precision: measuredNumber(last("accuracy"), `${path}accuracy`, MAX_PRECISION_M),
    attributes,
  };
  return { device_id, point, facts };
}

function positionOf(lat: unknown, lon: unknown, location: unknown, path: string) {
  if ((lat ?? "") !== "" || (lon ?? "") !== "") {
    return { lat: requiredNumber(lat, `${path}lat`, -90, 90), lng: requiredNumber(lon, `${path}lon`, -180, 180) };
  }
  if (typeof location !== "string" || location === "") return null;
  const [first, second, ...rest] = location.split(",");
  if (rest.length > 0) throw invalid(`${path}location`, "must be a latitude and a longitude");
  return {
    lat: requiredNumber(first?.trim(), `${path}location`, -90, 90),
    lng: requiredNumber(second?.trim(), `${path}location`, -180, 180),
  };
}

const MEMBERS = new Set([
  ...["id", "deviceid", "device_id", "key", "timestamp", "lat", "lon", "location", "speed", "bearing", "heading"],
  ...["altitude", "accuracy", "hdop", "batt", "charge", "valid"],
]);

/** Repeated names are numbered: `cell`, `cell_2`, … */
function attributesOf(fields: Values, hdop: number | null, path: string): Attributes | null {
  const others: [string, unknown][] = hdop === null ? [] : [["hdop", hdop]];
  for (const [name, values] of fields) {
    if (MEMBERS.has(name)) continue;
    values.forEach((value, index) => {
      if (typeof value !== "object") others.push([index === 0 ? name : `${name}_${index + 1}`, value]);
    });
  }
  if (others.length === 0) return null;
  return readAttributes(Object.fromEntries(others), 0, (_, name, error) => {
    throw invalid(`${path}${name || "attributes"}`, error);
  });
}

/** A report as an object (traccar.org/osmand, JSON format): speed in meters per second, `battery.level` from 0 to 1. */
function nestedReport(json: Record<string, unknown>, path: string, received: IngestRequest): Report {
  const device_id = readDeviceId(`${path}device_id`, json.device_id, json.id, firstOf(received.query, "id"));
  const location = memberOf(json, "location", path);
  const inLocation = `${path}location.`;
  const battery = memberOf(location, "battery", inLocation);
  const timestamp = location.timestamp ?? "";
  const time = timestamp === "" ? received.nowMs : readTime(timestamp, `${inLocation}timestamp`, received);
  const facts: Facts = {
    time,
    battery_level: batteryLevel(battery.level, `${inLocation}battery.level`, 1),
    charging: optionalFlag(battery.is_charging, `${inLocation}battery.is_charging`),
    moving: optionalFlag(location.is_moving, `${inLocation}is_moving`),
    odometer_m: measuredNumber(location.odometer, `${inLocation}odometer`, MAX_ODOMETER_M) ?? undefined,
    event: optionalText(location.event, `${inLocation}event`),
  };
  if ((location.coords ?? null) === null) return { device_id, point: null, facts };

  const coords = memberOf(location, "coords", inLocation);
  const inCoords = `${inLocation}coords.`;
  const speed = measuredNumber(coords.speed, `${inCoords}speed`, MAX_SPEED_KMH / KMH_PER_METER_PER_SECOND);
  const point: Point = {
    ...UNMEASURED,
    time,
    lat: requiredNumber(coords.latitude, `${inCoords}latitude`, -90, 90),
    lng: requiredNumber(coords.longitude, `${inCoords}longitude`, -180, 180),
    speed: speed === null ? null : speed * KMH_PER_METER_PER_SECOND,
    heading: measuredNumber(coords.heading, `${inCoords}heading`, 360),
    alt: optionalNumber(coords.altitude, `${inCoords}altitude`, -MAX_ALTITUDE_M, MAX_ALTITUDE_M),
    precision: measuredNumber(coords.accuracy, `${inCoords}accuracy`, MAX_PRECISION_M),
  };
  return { device_id, point, facts };
}

/** A member that is an object; empty if the sender left it out. */
function memberOf(json: Record<string, unknown>, name: string, path: string): Record<string, unknown> {
  const member = json[name] ?? {};
  if (isObject(member)) return member;
  throw invalid(`${path}${name}`, "must be an object");
}
