import { expect, test } from "vitest";
import { fixture, messagesFrom, post, refusalOf } from "../../../../test/tool/call/ingest-request.ts";

function feature(properties: object = {}, geometry: unknown = { type: "Point", coordinates: [13.5, 52.25] }) {
  return {
    type: "Feature",
    geometry,
    properties: { timestamp: "2025-06-20T10:00:00Z", device_id: "a", ...properties },
  };
}

function batch(...locations: unknown[]) {
  return post({ locations });
}

test("ingest/overland takes the device from the query when the batch's own is empty", async () => {
  const sample = post(fixture("overland-batch.json"));
  const [message] = await messagesFrom("overland?id=phone", sample);
  expect(message).toMatchObject({
    device_id: "phone",
    points: [{ time: Date.UTC(2015, 9, 1, 15), lat: 37.3318, lng: -122.030581, speed: 14.4, alt: 0, precision: 30 }],
  });
  expect(message?.facts).toEqual({ time: Date.UTC(2015, 9, 1, 15), battery_level: 80, charging: true });
  expect(await refusalOf("overland", sample)).toBe("7 locations.0.properties.device_id");
});

test("ingest/overland makes one message per device, with its latest facts", async () => {
  const messages = await messagesFrom(
    "overland?id=q",
    batch(
      feature({ timestamp: "2025-06-20T10:00:10Z", battery_level: 0.5, battery_state: "unplugged" }),
      feature({ device_id: "b" }),
      feature({ battery_level: 0.6, battery_state: "full" }),
      feature({ device_id: null }),
    ),
  );
  expect(messages.map(({ device_id, points }) => [device_id, points.length])).toEqual([
    ["a", 2],
    ["b", 1],
    ["q", 1],
  ]);
  expect(messages[0]?.facts).toMatchObject({ battery_level: 50, charging: false });
});

test("ingest/overland takes negative measurements as unknown", async () => {
  const unknown = { speed: -1, course: -1, horizontal_accuracy: -1, battery_level: -1, battery_state: "unknown" };
  const [message] = await messagesFrom("overland", batch(feature(unknown)));
  expect(message?.points).toMatchObject([{ speed: null, heading: null, precision: null, alt: null }]);
  expect(message?.facts).toEqual({ time: Date.parse("2025-06-20T10:00:00Z") });
});

test("ingest/overland skips features without a geometry and does not check them", async () => {
  const bare = [{ type: "Feature" }, feature({ timestamp: "never", device_id: 5.5 }, null)];
  expect(await messagesFrom("overland", batch(...bare))).toEqual([]);
  expect(await messagesFrom("overland", batch())).toEqual([]);
  const [message] = await messagesFrom("overland", batch(...bare, feature()));
  expect(message?.points).toHaveLength(1);
});

test.each<[unknown, string]>([
  [5, "5"],
  [[], "5"],
  [null, "5"],
  [{}, "7 locations"],
  [{ locations: {} }, "7 locations"],
  [{ locations: [feature(), 5] }, "7 locations.1"],
  [{ locations: [feature({}, 5)] }, "7 locations.0.geometry"],
  [{ locations: [feature({}, { type: "LineString", coordinates: [] })] }, "7 locations.0.geometry"],
  [{ locations: [feature({}, { type: "Point" })] }, "7 locations.0.geometry"],
  [{ locations: [feature({}, { type: "Point", coordinates: [] })] }, "7 locations.0.geometry.coordinates.1"],
  [{ locations: [feature({}, { type: "Point", coordinates: [181, 0] })] }, "7 locations.0.geometry.coordinates.0"],
  [{ locations: [{ ...feature(), properties: 5 }] }, "7 locations.0.properties"],
  [{ locations: [{ ...feature(), properties: null }] }, "7 locations.0.properties.timestamp"],
  [{ locations: [feature({ timestamp: "2025-06-20" })] }, "7 locations.0.properties.timestamp"],
  [{ locations: [feature({ speed: "x" })] }, "7 locations.0.properties.speed"],
  [{ locations: [feature({ battery_level: 1.1 })] }, "7 locations.0.properties.battery_level"],
  [{ locations: new Array(1000).fill(feature()) }, "accepted"],
  [{ locations: new Array(1001).fill(feature()) }, "7 locations"],
])("ingest/overland answers %j with %s", async (body, refusal) => {
  expect(await refusalOf("overland", post(JSON.stringify(body)))).toBe(refusal);
});
