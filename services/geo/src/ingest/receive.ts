import type { DeviceRequest } from "#shared/contract/tracker/device-request.ts";
import { openDatabase } from "#shared/database/open.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { nowMs } from "#shared/time/clock.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../env.ts";
import { feedOf } from "../object/addresses.ts";
import type { Refusal } from "../object/sender.ts";
import { decodeColumns, encodePoints } from "../point/codec.ts";
import type { Facts } from "../point/facts.ts";
import { comparePoints, type Point, storedPoint } from "../point/point.ts";
import type { Stored } from "./answer.ts";
import { selectDevices } from "./device-queries.ts";
import type { Message, Facts as MessageFacts } from "./message.ts";
import { readIngest } from "./read.ts";

/** Handles a device's request; answers the response body once its points are stored. */
export async function receive(request: DeviceRequest, env: GeoEnv): Promise<string> {
  const now = nowMs(env);
  const limits = { nowMs: now, latestMs: now + Number(env.FUTURE_HOURS) * HOUR_MS };
  const { format, received } = readIngest(request, limits);
  const messages = format.parse(received);
  const recalled = messages.map(({ device_id }) => device_id).filter((id) => knownDevices.has(id));
  const stored = await deliver(messages, env).catch((thrown) => {
    // Tries again if a remembered device was forgotten by the attempt: its feed says that the device is no longer its
    // own, so another tracker may have it.
    if (recalled.every((id) => knownDevices.has(id))) throw thrown;
    return deliver(messages, env);
  });
  return format.answer(stored.reduce<Stored>(addStored, { accepted: 0, duplicates: 0 }));
}

async function deliver(messages: Message[], env: GeoEnv): Promise<Stored[]> {
  const trackers = await trackersOf(messages, env);
  // All or nothing: every feed must be willing before one of several stores points.
  if (messages.length > 1) await Promise.all(messages.map((message) => probe(message, trackers, env)));
  return Promise.all(messages.map((message) => accept(message, trackers, env)));
}

/** The trackers of devices. They are remembered: a feed refuses a device that is no longer its own. */
async function trackersOf(messages: Message[], env: GeoEnv): Promise<Map<string, number>> {
  const unknown = messages.map(({ device_id }) => device_id).filter((id) => !knownDevices.has(id));
  if (unknown.length > 0) {
    const devices = await selectDevices(openDatabase(env), unknown);
    if (!unknown.every((id) => devices.has(id))) throw new ApiError(204);
    if (knownDevices.size + devices.size > MAX_KNOWN_DEVICES) knownDevices.clear();
    for (const [id, tracker_id] of devices) knownDevices.set(id, tracker_id);
  }
  return new Map(messages.map(({ device_id }) => [device_id, knownDevices.get(device_id) ?? 0]));
}

async function probe(message: Message, trackers: Map<string, number>, env: GeoEnv) {
  const refusal = await feedOfSender(message, trackers, env).refusal(senderOf(message), countPoints(message));
  if (refusal) refuse(refusal, message);
}

async function accept(message: Message, trackers: Map<string, number>, env: GeoEnv): Promise<Stored> {
  const bytes = message.form === "raw" ? message.bytes : encodePoints(sortPoints(message.points), "raw");
  const answer = await feedOfSender(message, trackers, env).accept(bytes, senderOf(message), factsOf(message.facts));
  return "refused" in answer ? refuse(answer.refused, message) : answer;
}

function countPoints(message: Message): number {
  return message.form === "raw" ? decodeColumns(message.bytes).count : message.points.length;
}

/** Sorts points unless they are sorted already, by their stored values. */
function sortPoints(points: Point[]): Point[] {
  for (let index = 1; index < points.length; index++) {
    const [before, point] = [points[index - 1], points[index]];
    if (before && point && !(before.time < point.time)) return points.map(storedPoint).sort(comparePoints);
  }
  return points;
}

function feedOfSender({ device_id }: Message, trackers: Map<string, number>, env: GeoEnv) {
  return feedOf(env, trackers.get(device_id) ?? 0);
}

function senderOf({ device_id, key }: Message) {
  return { device_id, key };
}

/** The facts for the tracker's state; null: none. */
function factsOf({ time, battery_level, attributes, ...others }: MessageFacts): Facts | null {
  const values = Object.entries({ ...attributes, ...others }).filter(([, value]) => value !== undefined);
  if (time === undefined || (battery_level === undefined && values.length === 0)) return null;
  return { time, battery_level, additional: Object.fromEntries(values.map(([name, value]) => [name, String(value)])) };
}

function refuse(refusal: Refusal, { device_id }: Message): never {
  if (refusal === "blocked") throw new ApiError(208);
  // An unknown device gets this error, too, as device ids may be guessed.
  if (refusal === "key") throw new ApiError(204);
  if (refusal === "busy") throw new ApiError(14);
  knownDevices.delete(device_id);
  throw new ApiError(204);
}

function addStored(one: Stored, other: Stored): Stored {
  return { accepted: one.accepted + other.accepted, duplicates: one.duplicates + other.duplicates };
}

const MAX_KNOWN_DEVICES = 50_000;
/** Device id to tracker id, as long as the isolate lives: without it, each request would wait for a query of the database. */
const knownDevices = new Map<string, number>();
