import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MINUTE_MS } from "../../shared/time/duration.ts";
import { feed, newAccount, type Reply } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { validateKml } from "../tool/document/kml-schema.ts";
import { recordedTrack } from "../tool/point/recorded.ts";
import { stack } from "../tool/system/stack.ts";

type TestPoint = { time: number; lat: number; lng: number; speed?: number };

test("a drive is as long, within three percent, however often it was sampled", async () => {
  const every1s = await replay(recording("car-drive-every-second.json"));
  const every15s = await replay(recording("car-drive-every-15-seconds.json"));
  expect(every15s.list).toHaveLength(every1s.list.length);
  const difference = every15s.total.length - every1s.total.length;
  expect(Math.abs(difference) / every1s.total.length).toBeLessThan(0.03);
  for (const { list } of [every1s, every15s]) within(fastest(list), [100, 150]);
});

test.each([
  ["car-drive-every-second.json", { tracks: 1, km: [13, 13.5], kmh: [100, 150] }],
  ["car-drive.gpx", { tracks: 1, km: [2.5, 2.9], kmh: [20, 120] }],
  ["half-hour-track.gpx", { tracks: 1, km: [4.2, 4.7], kmh: [70, 90] }],
])("the recording %s is one drive of its length", async (file, { tracks, km, kmh }) => {
  const { list, total } = await replay(recording(file));
  expect(list).toHaveLength(tracks);
  within(total.length, km);
  within(fastest(list), kmh);
});

test("gaps of hours make drives of their own", async () => {
  const points = recording("several-tracks-with-gaps.gpx");
  const gaps = points.filter((point, index) => point.time - (points[index - 1]?.time ?? point.time) > 30 * MINUTE_MS);
  expect(gaps.length).toBeGreaterThan(0);
  const { list } = await replay(points, { filter: false });
  for (const { time } of gaps) {
    const before = list.filter(
      ({ start_date, end_date }: Reply) => start_date < writeUtc(time) && end_date >= writeUtc(time),
    );
    expect(before).toEqual([]);
  }
  expect(list.length).toBeGreaterThan(gaps.length / 2);
});

test("speeds that the device measured are kept", async () => {
  const sent = [...readFileSync("test/fixtures/tracks/speed-per-point.gpx", "utf8").matchAll(GPX_SPEED)].map(
    ({ groups }): TestPoint => ({ ...placeOf(groups), speed: Number(groups?.speed) * 3.6 }),
  );
  expect(sent).toHaveLength(3);
  const { points } = await replay(sent);
  expect(points.map(({ speed }: Reply) => speed)).toEqual([4, 8, 12]);
});

test("points of an NMEA recording are listed as they were driven", async () => {
  const sent = nmeaPoints("rmc-up-to-32-knots.nmea");
  expect(sent).toHaveLength(13);
  // Five points of a drive, and an hour later eight where it stands.
  const { list, points } = await replay(sent, { filter: false });
  expect(list).toMatchObject([{ type: "regular", points: 5, max_speed: 60, start_date: "2009-12-09 14:33:06" }]);
  expect(points.map(({ speed }: Reply) => speed)).toEqual([56, 57, 58, 59, 60]);
});

/** Sends a recording as a device would, reads it back in three ways and holds them against each other. */
async function replay(sent: TestPoint[], parameters: object = {}) {
  const account = await newAccount({ time_zone: "UTC", plan: { store_period: "30y" } });
  const { id: tracker_id, source } = await account.newTracker();
  let accepted = 0;
  for (let start = 0; start < sent.length; start += 500) {
    const reply = await feed(source.device_id, sent.slice(start, start + 500));
    accepted += reply.accepted + reply.duplicates;
  }
  expect(accepted).toBe(sent.length);

  const times = sent.map(({ time }) => time);
  const range = { tracker_id, from: writeUtc(Math.min(...times) - 1000), to: writeUtc(Math.max(...times) + 1000) };
  const { list, total, limit_exceeded } = await account.must("/track/list", { ...range, ...parameters });
  expect(limit_exceeded).toBe(false);
  expect(total.count).toBe(list.length);

  const { list: points } = await account.must("/track/read", { ...range, simplify: false });
  const mileages = points.map(({ mileage }: Reply) => mileage);
  expect(mileages).toEqual(mileages.toSorted((a: number, b: number) => a - b));
  for (const track of list) {
    const ofTrack = await account.must("/track/read", { ...range, track_id: track.id, simplify: false });
    expect(ofTrack.list).toHaveLength(track.points ?? 1);
  }

  const download = { hash: account.hash, ...range, simplify: false };
  const response = await fetch(`${stack.baseUrl}/track/download`, { method: "POST", body: JSON.stringify(download) });
  const document = await response.text();
  validateKml(document);
  expect(document.match(/<Placemark>/g) ?? []).toHaveLength(points.length);
  return { list, total, points };
}

function recording(file: string): TestPoint[] {
  return recordedTrack(file).map(({ time, lat, lng }) => ({ time, lat, lng }));
}

function placeOf(groups: Record<string, string> | undefined): TestPoint {
  return { time: Date.parse(groups?.time ?? ""), lat: Number(groups?.lat), lng: Number(groups?.lng) };
}

/** The valid RMC sentences: position, speed over ground, date. */
function nmeaPoints(file: string): TestPoint[] {
  const text = readFileSync(`test/fixtures/tracks/${file}`, "latin1");
  return text.split("\n").flatMap((line): TestPoint[] => {
    const fields = line.split(",");
    const [kind, clock = "", status, lat = "", north, lng = "", east, knots] = fields;
    const date = fields[9] ?? "";
    if (kind !== "$GPRMC" || status !== "A") return [];
    const [day, month, year] = date.match(/\d\d/g) ?? [];
    const [hours, minutes] = clock.match(/\d\d/g) ?? [];
    const time = Date.parse(`20${year}-${month}-${day}T${hours}:${minutes}:${clock.slice(4)}Z`);
    const place = { lat: degrees(lat, north === "S"), lng: degrees(lng, east === "W") };
    return [{ time, ...place, speed: Number(knots) * 1.852 }];
  });
}

/** `dddmm.mmmm` */
function degrees(text: string, isNegative: boolean) {
  const minutes = text.indexOf(".") - 2;
  const value = Number(text.slice(0, minutes)) + Number(text.slice(minutes)) / 60;
  return isNegative ? -value : value;
}

function fastest(list: Reply[]) {
  return Math.max(...list.map(({ max_speed = 0 }) => max_speed));
}

function within(value: number, [least = 0, most = 0]: number[]) {
  expect(value).toBeGreaterThan(least);
  expect(value).toBeLessThan(most);
}

const GPX_SPEED =
  /<trkpt lat="(?<lat>[^"]+)" lon="(?<lng>[^"]+)">.*?<time>(?<time>[^<]+)<\/time>\s*<speed>(?<speed>[^<]+)</gs;
