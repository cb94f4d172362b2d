import { beforeAll, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time/duration.ts";
import { Circuit, dayOf, type MotionAt, startOfDay } from "./circuit.ts";
import { type Drives, readDrives } from "./drives.ts";
import { FleetMotion } from "./motion.ts";
import { VEHICLES } from "./vehicles.ts";

type DevicePoint = { time: number; lat: number; lng: number; speed: number };

const START = Date.parse("2026-03-28T09:00:00Z");
const DEVICES = Object.fromEntries(VEHICLES.map(({ key }) => [key, { device_id: key }]));
const KILOMETERS_PER_DEGREE = 111.2;
const MAX_SPEED = 150;

let drives: Drives;

beforeAll(async () => {
  drives = await readDrives();
});

test("FleetMotion moves all vehicles as the clock goes on, and sends each point once", async () => {
  const [rarely, often] = [recordSender(), recordSender()];
  const [one, other] = [new FleetMotion(DEVICES, drives, rarely.send), new FleetMotion(DEVICES, drives, often.send)];
  for (let now = START; now <= START + 2 * HOUR_MS; now += 5 * SECOND_MS) {
    await other.advance(now);
    if ((now - START) % HOUR_MS === 0) await one.advance(now);
  }
  expect([...often.points].toSorted()).toEqual([...rarely.points].toSorted());
  for (const { key } of VEHICLES) {
    const points = often.points.get(key) ?? [];
    expect(new Set(points.map(({ lat, lng }) => `${lat},${lng}`)).size, key).toBeGreaterThan(20);
    expect(new Set(points.map(({ time }) => time)).size, key).toBe(points.length);
  }
  // At most twelve vehicles send every ten seconds.
  expect(often.requests()).toBeLessThan((VEHICLES.length * 2 * HOUR_MS) / (10 * SECOND_MS));
});

test("FleetMotion catches up after a stop with the points that it would have sent", async () => {
  const [whole, stopped] = [recordSender(), recordSender()];
  const range = { from: START - HOUR_MS, to: START };
  await new FleetMotion(DEVICES, drives, whole.send).fill(range, [], async () => {});
  const seen = new Map(VEHICLES.map(({ key }) => [key, START - 20 * MINUTE_MS]));
  await new FleetMotion(DEVICES, drives, stopped.send).catchUp(START, seen);
  for (const { key } of VEHICLES) {
    const missed = (whole.points.get(key) ?? []).filter(({ time }) => time > START - 20 * MINUTE_MS);
    expect(stopped.points.get(key) ?? [], key).toEqual(missed);
  }
});

test("FleetMotion rests in past nights that the machine has slept through", async () => {
  const { send, points } = recordSender();
  const motion = new FleetMotion(DEVICES, drives, send);
  await motion.advance(START);
  await motion.advance(START + 30 * DAY_MS);
  const first = Math.min(...[...points.values()].flat().map(({ time }) => time));
  expect(first).toBeGreaterThanOrEqual(startOfDay(START + 30 * DAY_MS, 3));
  expect([...points.values()].flat().length).toBeLessThan(60_000);
});

test("FleetMotion leaves out a vehicle whose device was refused", async () => {
  const { send, points } = recordSender("van-1");
  const motion = new FleetMotion(DEVICES, drives, send);
  for (let now = START; now <= START + HOUR_MS; now += MINUTE_MS) await motion.advance(now);
  expect(points.size).toBe(VEHICLES.length);
  expect(points.get("van-1")).toHaveLength(1);
});

test.each(VEHICLES)("Circuit has no jumps, and rests at night except on the day of its end: $label", (vehicle) => {
  // The night before the last day has an hour less: summer time begins.
  const end = START + 28 * HOUR_MS;
  const points = [...new Circuit(vehicle, drives).workedPointsBetween(startOfDay(end, 2), end)];
  const speeds = points.slice(1).map((point, index) => speedBetween(points[index] ?? point, point));
  expect(Math.max(...speeds, ...points.map(({ speed }) => speed))).toBeLessThan(MAX_SPEED);
  const hoursOf = (day: string) =>
    points.flatMap(({ time }) => (dayOf(time) === day ? [(time - startOfDay(time)) / HOUR_MS] : []));
  for (const day of ["2026-03-27", "2026-03-28"]) {
    expect(Math.min(...hoursOf(day))).toBeGreaterThanOrEqual(7);
    expect(Math.max(...hoursOf(day))).toBeLessThan(19);
  }
  expect(Math.min(...hoursOf("2026-03-29"))).toBeLessThan(2);
});

/** Collects what is sent by device; refuses the device `refused` after it has sent once. */
function recordSender(refused?: string) {
  const points = new Map<string, DevicePoint[]>();
  let requests = 0;
  return {
    points,
    requests: () => requests,
    async send(device_id: string, sent: object[]) {
      requests++;
      points.set(device_id, [...(points.get(device_id) ?? []), ...(sent as DevicePoint[])]); // points of `toPoint`
      return device_id !== refused;
    },
  };
}

/** km/h on the straight line between two points. */
function speedBetween(start: MotionAt, end: MotionAt) {
  const east = (end.lng - start.lng) * Math.cos((start.lat * Math.PI) / 180);
  const kilometers = Math.hypot(end.lat - start.lat, east) * KILOMETERS_PER_DEGREE;
  return kilometers / ((end.time - start.time) / HOUR_MS);
}
