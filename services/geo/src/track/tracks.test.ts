import { expect, test } from "vitest";
import { HOUR_MS } from "#shared/time/duration.ts";
import { reportAt, START, tripAt } from "../../../../test/tool/point/trips.ts";
import { mergeTrips, type TrackContext, toTotal, toTrack } from "./tracks.ts";

const writing: TrackContext = {
  write: (ms) => `+${(ms - START) / 1000}`,
  norm: null,
  eventsIn: null,
  addressAt: () => "",
};

test("toTrack makes of a drive a regular track with every member of the contract", () => {
  const trip = tripAt(0, 600, { length_meters: 7234.56, max_speed_kmh: 71.5 });
  expect(toTrack([trip], { ...writing, norm: 9.4, eventsIn: () => 3 })).toEqual({
    type: "regular",
    id: 1,
    start_date: "+0",
    start_address: "",
    max_speed: 72,
    end_date: "+600",
    end_address: "",
    length: 7.235,
    points: 100,
    avg_speed: 43,
    event_count: 3,
    norm_fuel_consumed: 0.68,
    gsm_lbs: false,
    bounds: { nw: { lat: 50.1, lng: 8 }, se: { lat: 50, lng: 8.1 } },
  });
});

test("toTrack gives no consumption without a vehicle, and events only when asked for", () => {
  const track = toTrack([tripAt(0, 600)], writing);
  expect(track).not.toHaveProperty("norm_fuel_consumed");
  expect(track).not.toHaveProperty("event_count");
});

test("toTrack gives an average up to the maximum, and 0 for a drive of no time", () => {
  expect(toTrack([tripAt(0, 600, { max_speed_kmh: 30 })], writing)).toMatchObject({ avg_speed: 30, max_speed: 30 });
  expect(toTrack([tripAt(0, 0)], writing)).toMatchObject({ avg_speed: 0 });
});

test("toTrack makes a single report of a lone report", () => {
  expect(toTrack([reportAt(60, 50, 8, { max_speed_kmh: 12.4, lbs_points: 1 })], writing)).toEqual({
    type: "single_report",
    id: 61,
    start_date: "+60",
    start_address: "",
    avg_speed: 12,
    gsm_lbs: true,
    precision: 20,
  });
});

test("toTrack makes a cluster of several reports, as precise as the worst", () => {
  const reports = [reportAt(0, 0, 179.9999), reportAt(3600, 0.0001, -179.9999, { precision: 50, lbs_points: 1 })];
  expect(toTrack(reports, writing)).toEqual({
    type: "cluster",
    start_date: "+0",
    start_address: "",
    end_date: "+3600",
    precision: 50,
    points: [
      { lat: 0, lng: 179.9999 },
      { lat: 0.0001, lng: -179.9999 },
    ],
    bounds: { nw: { lat: 0.0001, lng: 179.9999 }, se: { lat: 0, lng: -179.9999 } },
    gsm_lbs: false,
  });
});

test("mergeTrips makes one track without an id, with the average speed of the driving", () => {
  const [merged, ...others] = mergeTrips([tripAt(0, 600), tripAt(7200, 7800, { max_speed_kmh: 80 })], writing);
  expect(others).toEqual([]);
  expect(merged).toMatchObject({ type: "merged", start_date: "+0", end_date: "+7800", points: 200, length: 14.4 });
  expect(merged).toMatchObject({ max_speed: 80, avg_speed: 43 });
  expect(merged).not.toHaveProperty("id");
});

test("mergeTrips of no tracks is empty", () => {
  expect(mergeTrips([], writing)).toEqual([]);
});

test("mergeTrips gives bounds that cover all tracks, over the date line too", () => {
  const east = tripAt(0, 600, { bounds: { south: -17, west: 179.2, north: -16, east: 179.8 } });
  const across = tripAt(700, 900, { bounds: { south: -18, west: 179.9, north: -17, east: -179.9 } });
  const west = tripAt(1000, 1200, { bounds: { south: -16, west: -179.8, north: -15, east: -179.5 } });
  const bounds = { nw: { lat: -15, lng: 179.2 }, se: { lat: -18, lng: -179.5 } };
  expect(mergeTrips([east, across, west], writing)[0]?.bounds).toEqual(bounds);
  expect(mergeTrips([east, west], writing)[0]?.bounds).toEqual({ ...bounds, se: { lat: -17, lng: -179.5 } });
});

test("toTotal gives how long was driven and parked", () => {
  const day = { from: START, to: START + 24 * HOUR_MS };
  const trips = [tripAt(-1800, 1800), tripAt(7200, 10_810)];
  expect(toTotal(trips, 2, day, { norm: 10 }, day.to + HOUR_MS)).toEqual({
    count: 2,
    length: 14.4,
    trip_duration: "PT2H10S",
    // Only the half of the first trip within the range reduces the parking.
    parking_duration: "PT22H29M50S",
    norm_fuel_consumed: 1.44,
  });
});

test("toTotal counts no parking in the future part of a range", () => {
  const day = { from: START, to: START + 24 * HOUR_MS };
  expect(toTotal([], 0, day, { norm: null }, START + HOUR_MS).parking_duration).toBe("PT1H");
  expect(toTotal([], 0, day, { norm: null }, START - HOUR_MS).parking_duration).toBe("PT0S");
});
