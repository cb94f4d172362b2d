import { isObject } from "#shared/body/json.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import type { Point } from "../point/point.ts";
import { readAttributes } from "./attributes.ts";
import { keyOf, readDeviceId } from "./device.ts";
import { type IngestRequest, MAX_POINTS, type Message } from "./message.ts";
import { numberOf, RANGES } from "./number.ts";
import { isTimely, parseIsoTime, type TimeLimits, WRONG_TIME } from "./time.ts";

type Measure = keyof typeof RANGES;

/** `/ingest/points`: the project's own batches, in which every wrong value is refused. */
export function parsePoints(received: IngestRequest): Message[] {
  const { json, batch } = received;
  if (batch) {
    const device_id = readDeviceId("device_id", batch.device_id);
    return [{ form: "raw", device_id, key: keyOf(received), bytes: batch.bytes, facts: {} }];
  }
  if (!isObject(json)) throw new ApiError(5);
  const device_id = readDeviceId("device_id", json.device_id);
  const items = json.points;
  if (!Array.isArray(items)) throw invalid("points", "must be an array");
  if (items.length > MAX_POINTS) throw invalid("points", `must be at most ${MAX_POINTS}`);
  const points: Point[] = [];
  for (let index = 0; index < items.length; index += 1) points.push(readPoint(items[index], index, received));
  return [{ form: "parsed", device_id, key: keyOf(received), points, facts: {} }];
}

// No closure, text or spread for a valid point, as this runs for every parsed point.
function readPoint(json: unknown, index: number, limits: TimeLimits): Point {
  if (!isObject(json)) throw invalid(`points.${index}`, "must be an object");
  const { time: sent, satellites, inputs, gsm_lbs, buffered, attributes } = json;
  const time = typeof sent === "string" ? writtenTime(sent) : typeof sent === "number" ? Math.round(sent) : Number.NaN;
  if (!isTimely(time, limits)) return refuse(index, "time", WRONG_TIME);
  return {
    time,
    lat: readRequired(json.lat, index, "lat"),
    lng: readRequired(json.lng, index, "lng"),
    speed: readOptional(json.speed, index, "speed"),
    heading: readOptional(json.heading, index, "heading"),
    alt: readOptional(json.alt, index, "alt"),
    satellites: satellites === undefined || satellites === null ? null : readInteger(satellites, index, "satellites"),
    precision: readOptional(json.precision, index, "precision"),
    inputs: inputs === undefined || inputs === null ? null : inputMask(inputs, index),
    gsm_lbs: gsm_lbs === undefined ? false : readFlag(gsm_lbs, index, "gsm_lbs"),
    buffered: buffered === undefined ? false : readFlag(buffered, index, "buffered"),
    attributes: attributes === undefined ? null : readAttributes(attributes, index, refuseAttribute),
  };
}

function writtenTime(text: string): number {
  const time = parseIsoTime(text);
  return Number.isNaN(time) ? Math.round(numberOf(text)) : time;
}

function readRequired(value: unknown, index: number, member: Measure): number {
  const [min, max] = RANGES[member];
  const number = typeof value === "number" ? value : numberOf(value);
  if (number >= min && number <= max) return number;
  return refuse(index, member, `must be a number from ${min} to ${max}`);
}

function readOptional(value: unknown, index: number, member: Measure): number | null {
  return value === undefined || value === null ? null : readRequired(value, index, member);
}

function readInteger(value: unknown, index: number, member: Measure): number {
  const number = readRequired(value, index, member);
  return Number.isInteger(number) ? number : refuse(index, member, "must be a whole number");
}

function readFlag(value: unknown, index: number, member: string): boolean {
  if (value === true || value === "true") return true;
  if (value === false || value === "false" || value === null) return false;
  return refuse(index, member, "must be a boolean");
}

const MAX_INPUTS = 32;

/** Item 0 is input 1, bit 0 of the mask. */
function inputMask(inputs: unknown, index: number): number {
  if (!Array.isArray(inputs) || inputs.length > MAX_INPUTS) {
    return refuse(index, "inputs", `must be an array of at most ${MAX_INPUTS} booleans`);
  }
  let mask = 0;
  for (let input = 0; input < inputs.length; input += 1) {
    if (readFlag(inputs[input], index, `inputs.${input}`)) mask |= 1 << input;
  }
  return mask >>> 0; // bit 31 is a sign otherwise
}

function refuse(index: number, member: string, error: string): never {
  throw invalid(`points.${index}.${member}`, error);
}

function refuseAttribute(index: number, name: string, error: string): never {
  return refuse(index, name === "" ? "attributes" : `attributes.${name}`, error);
}
