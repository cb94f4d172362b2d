import { systemNow } from "#shared/time/clock.ts";
import { writeUtc } from "../../test/tool/call/utc-time.ts";
import type { Account } from "../tool/account.ts";
import { BASE, registerTracker } from "../tool/account.ts";
import { newDrive } from "../tool/drive.ts";
import { compareRounds, type Figure, rounds, timeOf } from "../tool/figure.ts";
import type { Stack } from "../tool/stack.ts";
import { CORNERS, type Geometry, starsAround, uploadZones } from "../tool/zones.ts";
import { decodingOf, type Month } from "./month.ts";

/** Cost of many zones: finding those around a position, and evaluating rules that name all of them. */
export async function ruleFigures({ origin }: Stack, account: Account, few: Account): Promise<Figure[]> {
  const zone_ids = await uploadZones(origin, account, circlesAround(ZONES));
  await uploadZones(origin, few, circlesAround(100));
  const search = (own: Account) =>
    timeOf(() => own.call("/zone/search_location", { location: { lat: 48, lng: 11 } }), 20);
  const searched = await rounds({ many: () => search(account), some: () => search(few) });

  const [watched, free] = [await newDevices(account), await newDevices(few)];
  const trackers = watched.map(({ id }) => id);
  const rule = { type: "inoutzone", name: "Everywhere", zone_ids, trackers };
  await account.call("/tracker/rule/create", { rule });
  const followed = await rounds({
    rules: () => pointsPerSecond(origin, watched),
    none: () => pointsPerSecond(origin, free),
  });
  return [
    compareRounds(
      {
        name: `/zone/search_location among ${ZONES} zones`,
        unit: "ms",
        goal: { most: 2 },
        baseline: { name: "among 100", unit: "ms" },
      },
      searched.many,
      searched.some,
    ),
    compareRounds(
      {
        name: `points with a rule that names ${ZONES} zones`,
        unit: "points/s",
        goal: { least: 0.5 },
        baseline: { name: "without a rule", unit: "points/s" },
      },
      followed.rules,
      followed.none,
    ),
  ];
}

/** Rules over a month that is stored, beside what nobody can save who looks at all of its points. */
export async function trialFigures({ origin }: Stack, account: Account, month: Month): Promise<Figure[]> {
  const zone_ids = await uploadZones(origin, account, circlesAround(TRIED_ZONES));
  const weekly = (weekday: number) => ({
    type: "weekly",
    from: { weekday, time: "08:00:00" },
    to: { weekday, time: "18:00:00" },
  });
  const schedule = [1, 2, 3, 4, 5].map(weekly);
  const range = { trackers: [month.tracker_id], from: writeUtc(month.from), to: writeUtc(month.to) };
  const tried = (rule: object) => () =>
    timeOf(() => account.call("/tracker/rule/try", { rule: { name: "Tried", schedule, ...rule }, ...range }), 10);
  const taken = await rounds({
    decode: () => decodingOf(month),
    zones: tried({ type: "inoutzone", zone_ids }),
    speed: tried({ type: "speedup", param: 60 }),
  });
  const described = { unit: "ms", goal: { most: 4 }, baseline: { name: "decoding its chunks", unit: "ms" } };
  return [
    compareRounds(
      { name: `/tracker/rule/try, a month, ${TRIED_ZONES} zones`, ...described },
      taken.zones,
      taken.decode,
    ),
    compareRounds({ name: "/tracker/rule/try, a month, speeding", ...described }, taken.speed, taken.decode),
  ];
}

/** Points times zones: trials over a month of points with many zones of many corners, all around the same town. */
export async function starFigures({ origin }: Stack, account: Account, month: Month): Promise<Figure[]> {
  const zone_ids = await uploadZones(origin, account, starsAround(STARS));
  const range = { trackers: [month.tracker_id], from: writeUtc(month.from), to: writeUtc(month.to) };
  const tryStars = (count: number) => {
    const rule = { name: "Tried", type: "inoutzone", zone_ids: zone_ids.slice(0, count) };
    return account.call("/tracker/rule/try", { rule, ...range });
  };
  const taken = await rounds({
    many: () => timeOf(() => tryStars(STARS), 1),
    few: () => timeOf(() => tryStars(FEW_STARS), 1),
  });
  return [
    compareRounds(
      {
        name: `/tracker/rule/try, a month, ${STARS} stars of ${CORNERS} corners`,
        unit: "ms",
        goal: { most: 20 },
        baseline: { name: `${FEW_STARS} stars`, unit: "ms" },
      },
      taken.many,
      taken.few,
    ),
  ];
}

type Device = { id: number; device_id: string; next: ReturnType<typeof newDrive> };

async function newDevices(account: Account): Promise<Device[]> {
  const devices: Device[] = [];
  for (let number = 0; number < DEVICES; number++) {
    const { id, device_id } = await registerTracker(account, `Van ${number}`);
    devices.push({ id, device_id, next: newDrive(number, systemNow() - 60 * 60 * 60_000, 10_000) });
  }
  return devices;
}

async function pointsPerSecond(origin: string, devices: Device[]) {
  const start = performance.now();
  await Promise.all(
    devices.map(async ({ device_id, next }) => {
      for (let batch = 0; batch < BATCHES; batch++) {
        const points = Array.from({ length: BATCH }, next);
        const headers = { "Content-Type": "application/json" };
        const body = JSON.stringify({ device_id, points });
        await (await fetch(`${origin}${BASE}/ingest/points`, { method: "POST", headers, body })).text();
      }
    }),
  );
  return (devices.length * BATCHES * BATCH * 1000) / (performance.now() - start);
}

/** Circles around Munich. */
function circlesAround(count: number): Geometry[] {
  return Array.from({ length: count }, (_, number) => {
    return { type: "Point", coordinates: [11 + (number % 160) / 200, 47.5 + Math.floor(number / 160) / 200] };
  });
}

const ZONES = 23_000;
const TRIED_ZONES = 100;
const STARS = 500;
const FEW_STARS = 10;
const DEVICES = 8;
const BATCHES = 5;
const BATCH = 100;
