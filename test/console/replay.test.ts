import { expect, test } from "vitest";
import { toMarks } from "../../console/src/journey/marks.ts";
import { gapsBetween, ReplayClock } from "../../console/src/journey/replay/replay-clock.ts";
import {
  type JourneyEvent,
  rowAt,
  toEventEntries,
  toRows,
  toTripsAndStays,
} from "../../console/src/journey/timeline.ts";
import { toGeoJson } from "../../console/src/journey/track/geojson.ts";
import { toGraphData } from "../../console/src/journey/track/graph-data.ts";
import { loadTrack, planChunks } from "../../console/src/journey/track/load-track.ts";
import { speedClassOf, toSegments } from "../../console/src/journey/track/segments.ts";
import { Track, type TrackPoint, type Trip } from "../../console/src/journey/track/track.ts";

const START = Date.parse("2026-05-02T08:00:00Z");
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

test("a replay clock shows the same moment however many frames there were, and leaves out stays", () => {
  const range = { from: 0, to: 100_000 };
  const play = (frames: number) => {
    const clock = new ReplayClock();
    clock.setRange(range, 0);
    clock.setSkipped([{ from: 10_000, to: 60_000 }], 0);
    clock.setRate(10, 0);
    clock.play(500);
    for (let frame = 1; frame <= frames; frame++) clock.tick(500 + (2_000 * frame) / frames);
    return clock.time;
  };
  expect([1, 7, 120].map(play)).toEqual([70_000, 70_000, 70_000]);
});

test("a replay clock keeps its moment when the pace changes, stops at the end, and then starts from the beginning", () => {
  const clock = new ReplayClock();
  const heard: number[] = [];
  clock.setRange({ from: 1_000, to: 61_000 }, 0);
  clock.onChange((time) => heard.push(time));
  clock.setRate(1, 0);
  clock.play(0);
  clock.tick(4_000);
  expect(clock.time).toBe(5_000);
  clock.setRate(300, 5_000);
  expect([clock.time, clock.isPlaying]).toEqual([6_000, true]);
  clock.tick(5_100);
  expect(clock.time).toBe(36_000);
  clock.seek(16_000, 5_100);
  clock.tick(5_110);
  expect(clock.time).toBe(19_000);
  clock.tick(9_000);
  expect([clock.time, clock.isPlaying, heard.at(-1)]).toEqual([61_000, false, 61_000]);
  clock.play(10_000);
  expect([clock.time, clock.isPlaying]).toEqual([1_000, true]);
  clock.pause(10_010);
  clock.tick(20_000);
  expect(clock.time).toBe(4_000);
});

test("gapsBetween finds the periods without a trip of any vehicle", () => {
  const trips = [
    { from: 50, to: 60 },
    { from: 10, to: 30 },
    { from: 20, to: 40 },
  ];
  expect(gapsBetween(trips, { from: 0, to: 100 }, 10)).toEqual([
    { from: 0, to: 10 },
    { from: 40, to: 50 },
    { from: 60, to: 100 },
  ]);
});

test("a track answers positions between its points, and stands between trips", () => {
  const track = trackOf([
    [0, 10, 36],
    [1, 10.2, 72],
    [60, 10.2, 20],
    [61, 10.4, 40],
  ]);
  const at = (minute: number) => track.positionAt(START + minute * MINUTE_MS);
  expect(at(0.5)).toMatchObject({ lng: 10.1, speedKmh: 54, isInTrip: true });
  expect(at(30)).toMatchObject({ lng: 10.2, speedKmh: 0, isInTrip: false });
  expect(at(60.25)?.lng).toBeCloseTo(10.25);
  expect([at(-5)?.lng, at(90)?.lng, at(-5)?.isInTrip, at(90)?.isInTrip]).toEqual([10, 10.4, false, false]);
  expect(track.nearest(10.39, 50)).toBe(3);
});

test("a track that crosses the date line goes on beyond 180 degrees, turns the short way, and is cut in GeoJSON", () => {
  const track = trackOf([
    [0, 179.8, 50, 350],
    [1, -179.8, 50, 20],
  ]);
  const middle = track.positionAt(START + MINUTE_MS / 2);
  expect(middle?.lng).toBeCloseTo(180);
  expect(middle?.heading).toBe(5);
  const [feature] = toGeoJson(track, "Van").features;
  expect(feature?.geometry.coordinates).toEqual([
    [
      [179.8, 50],
      [180, 50],
    ],
    [
      [-180, 50],
      [-179.8, 50],
    ],
  ]);
  expect(feature?.properties.start).toBe("2026-05-02T08:00:00.000Z");
});

test("toSegments makes a line for each class of speed, which meet, and continues with points that come later", () => {
  const track = new Track([{ from: START, to: START + HOUR_MS }]);
  const points = [20, 50, 55, 20].map((speed, minute) => pointOf(minute, 10 + minute / 10, speed));
  track.append(points.slice(0, 2));
  const lines = (first: number) =>
    toSegments(track, first, { vehicle: 0, label: "Van" }).map(({ properties, geometry }) => [
      properties.speed,
      geometry.coordinates.map((line) => line.map(([lng = 0]) => lng)),
    ]);
  const middle = speedClassOf(50);
  expect(lines(0)).toEqual([[middle, [[10, 10.1]]]]);
  track.append(points);
  expect(lines(2)).toEqual([
    [middle, [[10.1, 10.2]]],
    [speedClassOf(20), [[10.2, 10.3]]],
  ]);
});

test("toGraphData keeps the highest speed of each part, and has nothing between trips", () => {
  const track = trackOf([
    [0, 10, 30],
    [1, 10, 90],
    [2, 10, 40],
    [60, 10, 50],
    [64, 10, 70],
  ]);
  const [times, speeds = []] = toGraphData([track], { from: START, to: START + 80 * MINUTE_MS }, 40);
  expect(times).toHaveLength(41);
  expect([speeds[0], speeds[1], speeds[10], speeds[30], speeds[31], speeds[32]]).toEqual([30, 90, null, 50, 60, 70]);
});

test("the points of a month are read in parts that overlap nowhere in the track", async () => {
  const trips = Array.from({ length: 62 }, (_, index) => tripOf(index * 12 * 60, index * 12 * 60 + 500, 1_000));
  const chunks = planChunks(trips);
  expect(chunks.length).toBeGreaterThan(15);
  expect(chunks.every(({ limit }) => limit === undefined)).toBe(true);
  const read = async (_: number, { from, to }: { from: number; to: number }) =>
    Array.from({ length: 601 }, (_, minute) => pointOf(minute, 10 + minute / 1000, 50)).filter(
      ({ get_time }) => Date.parse(get_time) >= from && Date.parse(get_time) <= to,
    );
  const shares: number[] = [];
  let track = new Track([]);
  for await (const part of loadTrack(1, [tripOf(0, 600, 9_000)], read, new AbortController().signal)) {
    shares.push(part.share);
    track = part.track;
  }
  expect([shares.length, shares.at(-1), track.size]).toEqual([3, 1, 601]);
  expect(planChunks([tripOf(0, 600, 400_000)]).reduce((sum, { limit = 0 }) => sum + limit, 0)).toBeLessThan(201_000);
});

test("toMarks makes each stay's mark once, when its place is known, while a month of points comes in parts", async () => {
  const days = Array.from({ length: 31 }, (_, day) => day * 24 * 60);
  const trips = days.map((minute) => tripOf(minute, minute + 500, 2_000));
  const entries = toTripsAndStays(7, trips, { from: START, to: START + 31 * 24 * HOUR_MS });
  const points = days.flatMap((minute, day) => [pointOf(minute, day, 50), pointOf(minute + 500, day + 0.5, 50)]);
  const read = async (_: number, { from, to }: { from: number; to: number }) =>
    points.filter(({ get_time }) => Date.parse(get_time) >= from && Date.parse(get_time) <= to);
  const made: Parameters<typeof toMarks>[3] = new Map();
  const named: number[] = [];
  const shown: number[][] = [];
  for await (const { track } of loadTrack(7, trips, read, new AbortController().signal)) {
    const marks = toMarks(entries, new Map([[7, track]]), (seconds) => `${named.push(seconds)}`, made);
    shown.push(marks.map(({ geometry }) => geometry.coordinates[0] ?? 0));
  }
  const places = days.map((_, day) => day + 0.5);
  expect(shown.length).toBeGreaterThan(15);
  expect(shown[0]).toEqual(places.slice(0, 2));
  expect([shown.at(-1), named.length]).toEqual([places, 31]);
});

test("the timeline has the stays between trips, a row for each day, and knows the row of a moment", () => {
  const range = { from: START - HOUR_MS, to: START + 30 * HOUR_MS };
  const entries = toTripsAndStays(7, [tripOf(0, 60, 10), tripOf(26 * 60, 27 * 60, 10)], range);
  expect(entries.map(({ kind, from, to }) => [kind, (from - START) / HOUR_MS, (to - START) / HOUR_MS])).toEqual([
    ["stay", -1, 0],
    ["trip", 0, 1],
    ["stay", 1, 26],
    ["trip", 26, 27],
    ["stay", 27, 30],
  ]);
  const rows = toRows(entries, (time) => new Date(time).toISOString().slice(0, 10));
  expect(rows.map(({ kind }) => kind)).toEqual(["day", "stay", "trip", "stay", "day", "trip", "stay"]);
  expect([START + 30 * MINUTE_MS, START + HOUR_MS, START + 90 * HOUR_MS].map((time) => rowAt(rows, time))).toEqual([
    2, 3, -1,
  ]);
});

test("the timeline leaves out events that late points have proved wrong, and the notes of that", () => {
  const eventOf = (id: number, event: JourneyEvent["event"], extra: Partial<JourneyEvent["extra"]> = {}) =>
    ({ id, event, tracker_id: 7, time: new Date(START).toISOString(), extra }) as JourneyEvent; // what entries use of it
  const events = [
    eventOf(1, "inzone"),
    eventOf(2, "outzone", { corrected: true }),
    eventOf(3, "corrected", { corrected_id: 2 }),
    eventOf(4, "outzone", { corrected: false }),
  ];
  expect(toEventEntries(events).map(({ event }) => event.id)).toEqual([1, 4]);
});

type Row = [minute: number, lng: number, speed: number, heading?: number];

/** A track with a trip for all points of each hour. */
function trackOf(rows: Row[]) {
  const hours = [...new Set(rows.map(([minute]) => Math.floor(minute / 60)))];
  const track = new Track(
    hours.map((hour) => ({ from: START + hour * HOUR_MS, to: START + hour * HOUR_MS + 10 * MINUTE_MS })),
  );
  track.append(rows.map((row) => pointOf(...row)));
  return track;
}

function pointOf(minute: number, lng: number, speed: number, heading = 90): TrackPoint {
  return { get_time: new Date(START + minute * MINUTE_MS).toISOString(), lat: 50, lng, speed, heading };
}

function tripOf(fromMinute: number, toMinute: number, points: number): Trip {
  const [start_date, end_date] = [fromMinute, toMinute].map((minute) =>
    new Date(START + minute * MINUTE_MS).toISOString(),
  );
  const position = { lat: 50, lng: 10 };
  return {
    ...{ type: "regular", id: fromMinute, start_date: start_date ?? "", end_date: end_date ?? "", points },
    ...{ start_address: "A", end_address: "B", length: 10, max_speed: 90, avg_speed: 50, gsm_lbs: false },
    bounds: { nw: position, se: position },
  };
}
