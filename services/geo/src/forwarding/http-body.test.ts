import { expect, test } from "vitest";
import { messagesFrom, post } from "../../../../test/tool/call/ingest-request.ts";
import { fullPoint } from "../../../../test/tool/point/made.ts";
import { storedPoint } from "../point/point.ts";
import { jsonBody, osmandQuery } from "./http-body.ts";

const TIME = Date.UTC(2025, 5, 30, 10);
const attributes = { fuel: 24.5, door: false, driver: "00A1B2" };
const points = [
  fullPoint({ time: TIME, attributes }),
  fullPoint({ time: TIME + 1500, lat: -33.8688, lng: -70.5, alt: -28, gsm_lbs: true, buffered: true, inputs: 2 ** 31 }),
  fullPoint({ time: TIME, speed: null, heading: null, alt: null, satellites: null, precision: null, inputs: null }),
];

test("jsonBody writes points that ingest/points of this system reads back unchanged", async () => {
  const [message] = await messagesFrom("points", post(jsonBody("Van 7", points)));
  expect(message?.device_id).toBe("Van 7");
  expect(message?.points.map(storedPoint)).toEqual(points);
});

test("jsonBody leaves unknown values out", () => {
  const { points: written } = JSON.parse(jsonBody("1", points.slice(2)));
  expect(written).toEqual([{ time: "2025-06-30T10:00:00.000Z", lat: 52.511, lng: 13.4125 }]);
});

test.each(points)("osmandQuery writes a point that ingest/osmand reads like a phone's: %j", async (point) => {
  const query = new URLSearchParams(osmandQuery("Van 7", point));
  const [message] = await messagesFrom(`osmand?${query}`);
  expect(message?.device_id).toBe("Van 7");
  // OsmAnd has no parameters for the other members: they arrive as attributes.
  const [got] = (message?.points ?? []).map(storedPoint);
  const { time, lat, lng, speed, heading, alt, precision } = point;
  expect(got).toMatchObject({ time, lat, lng, speed, heading, alt, precision });
});

test("osmandQuery drops attributes with names that OsmAnd receivers use themselves", () => {
  const query = osmandQuery("7", fullPoint({ attributes: { id: "8", key: "k", valid: false, speed: 900, fuel: 1 } }));
  expect(query.filter(([name]) => ["id", "speed", "key", "valid", "fuel"].includes(name))).toEqual([
    ["id", "7"],
    ["speed", "25.054"],
    ["fuel", "1"],
  ]);
});
