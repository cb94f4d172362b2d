import { describe, expect, test } from "vitest";
import { messagesFrom, NOW, post, refusalOf, samples } from "../../../../test/tool/call/ingest-request.ts";

async function only(path: string, init?: RequestInit) {
  const messages = await messagesFrom(`osmand${path}`, init);
  expect(messages).toHaveLength(1);
  return { ...messages[0], point: messages[0]?.points[0] };
}

function form(fields: string): RequestInit {
  return { method: "POST", headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: fields };
}

describe("ingest/osmand with the samples of senders", () => {
  const lines = samples("osmand-query.jsonl").map(({ request }) => request.slice("GET /".length));
  const [cells, isoZ, spaced] = lines;
  const [battery, attributes] = lines.slice(4);

  test("ingest/osmand takes radio cells and networks without a position as state alone", async () => {
    expect(await messagesFrom(`osmand${cells}`)).toEqual([
      {
        form: "parsed",
        device_id: "123456",
        key: null,
        points: [],
        facts: {
          time: 1_377_177_267_000,
          attributes: {
            cell: "257,02,16,2224",
            cell_2: "257,02,16,2223,-90",
            wifi: "00-14-22-01-23-45,-80",
            wifi_2: "00-1C-B3-09-85-15,-70",
          },
        },
      },
    ]);
  });

  test("ingest/osmand takes a time in ISO 8601, with a space for its T, or absent for now", async () => {
    const [first, second, third] = [await only(`${isoZ}`), await only(`${spaced}`), await only(`${battery}`)];
    expect(first.point).toMatchObject({ time: Date.UTC(2016, 0, 27, 18, 55, 47), alt: 224, attributes: { hdop: 6 } });
    expect(second.point).toMatchObject({ time: Date.UTC(2014, 5, 4, 9, 10, 11), speed: 0 });
    expect(third.point).toMatchObject({ time: NOW, lat: 41.666667, lng: -0.883333, attributes: null });
    expect(third.facts).toEqual({ time: NOW, battery_level: 87 });
  });

  test("ingest/osmand converts knots to km/h and keeps other names as attributes", async () => {
    const { point } = await only(`${attributes}`);
    expect(point?.speed).toBeCloseTo(74.08, 6);
    expect(point?.heading).toBeCloseTo(7.19889788244, 9);
    expect(point?.attributes).toEqual({ ignition: "true", rpm: "933", fuel: "24" });
  });

  test("ingest/osmand takes -1 in JSON as unknown", async () => {
    const [still, unset] = samples("osmand-json.jsonl").map(({ body }) => post(body));
    const first = await only("", still);
    expect(first.device_id).toBe("48241179");
    expect(first.point).toMatchObject({
      ...{ time: Date.parse("2025-06-15T13:45:12.862Z"), lat: 37.4219983, lng: -122.084 },
      ...{ precision: 5, speed: 0, heading: null, alt: 5 },
    });
    expect(first.facts).toEqual({
      ...{ time: Date.parse("2025-06-15T13:45:12.862Z"), battery_level: 100, charging: false },
      ...{ moving: false, odometer_m: 0, event: "motionchange" },
    });
    const second = await only("", unset);
    expect(second.point).toMatchObject({ speed: null, heading: null, precision: 5 });
    expect(second.facts).not.toHaveProperty("battery_level");
  });

  test("ingest/osmand accepts every sample of a query", async () => {
    for (const { request } of samples("osmand-query.jsonl")) {
      expect(await refusalOf(`osmand${request.slice("GET /".length)}`)).toBe("accepted");
    }
  });
});

describe("ingest/osmand with a query or a form", () => {
  test("ingest/osmand reads device and position from a query and a form, in each way of writing them", async () => {
    const expected = { time: NOW, lat: 60, lng: -30.5 };
    for (const query of [
      "?id=1&lat=60&lon=-30.5",
      "?deviceid=1&location=60,-30.5",
      "?id=1&location=60,%20-30.5&lat=",
    ]) {
      const { device_id, point } = await only(query);
      expect(device_id).toBe("1");
      expect(point).toMatchObject(expected);
    }
    expect((await only("", form("id=1&lat=60&lon=-30.5"))).point).toMatchObject(expected);
    expect((await only("?id=1&lat=60&lon=0", form("lon=-30.5"))).point).toMatchObject(expected);
    expect((await only("?id=1&lat=60&lon=-30.5", { method: "POST" })).point).toMatchObject(expected);
  });

  test("ingest/osmand takes no position from a fix that is marked invalid", async () => {
    const { points, facts } = await only("?id=1&lat=999&lon=0&valid=false&batt=50&alarm=sos");
    expect(points).toEqual([]);
    expect(facts).toEqual({ time: NOW, battery_level: 50, attributes: { alarm: "sos" } });
    expect((await only("?id=1&lat=9&lon=0&valid=true")).points).toHaveLength(1);
    expect((await only("?id=1&lat=9&lon=0&valid=0")).points).toHaveLength(0);
  });

  test("ingest/osmand takes negative measurements as unknown and empty values as absent", async () => {
    const { point, facts } = await only("?id=1&lat=1&lon=2&speed=-1&bearing=-1&accuracy=-1&hdop=-1&batt=-1&charge=");
    expect(point).toMatchObject({ speed: null, heading: null, precision: null, attributes: null });
    expect(facts).toEqual({ time: NOW });
    expect((await only("?id=1&timestamp=&lat=&lon=")).points).toEqual([]);
  });

  test("ingest/osmand does not keep the key as an attribute", async () => {
    const { key, point } = await only("?id=1&lat=1&lon=2&key=0123456789abcdef");
    expect(key).toBe("0123456789abcdef");
    expect(point?.attributes).toBeNull();
  });

  test("ingest/osmand takes the last of two equal names", async () => {
    expect((await only("?id=1&lat=1&lon=2&lat=3")).point).toMatchObject({ lat: 3 });
  });

  test.each([
    ["?lat=1&lon=2", "7 id"],
    ["?id=&lat=1&lon=2", "7 id"],
    [`?id=${"x".repeat(65)}&lat=1&lon=2`, "7 id"],
    ["?id=a%00b&lat=1&lon=2", "7 id"],
    ["?id=1&lat=1", "7 lon"],
    ["?id=1&lon=1", "7 lat"],
    ["?id=1&lat=NaN&lon=1", "7 lat"],
    ["?id=1&lat=90.1&lon=1", "7 lat"],
    ["?id=1&lat=1&lon=-180.1", "7 lon"],
    ["?id=1&location=1", "7 location"],
    ["?id=1&location=1,2,3", "7 location"],
    ["?id=1&location=1,x", "7 location"],
    ["?id=1&lat=1&lon=2&timestamp=soon", "7 timestamp"],
    ["?id=1&timestamp=946684799", "7 timestamp"],
    ["?id=1&lat=1&lon=2&speed=fast", "7 speed"],
    ["?id=1&lat=1&lon=2&bearing=361", "7 bearing"],
    ["?id=1&lat=1&lon=2&heading=361", "7 heading"],
    ["?id=1&lat=1&lon=2&altitude=x", "7 altitude"],
    ["?id=1&lat=1&lon=2&accuracy=x", "7 accuracy"],
    ["?id=1&lat=1&lon=2&hdop=x", "7 hdop"],
    ["?id=1&lat=1&lon=2&batt=101", "7 batt"],
    ["?id=1&lat=1&lon=2&charge=maybe", "7 charge"],
    ["?id=1&lat=1&lon=2&valid=maybe", "7 valid"],
    ["?id=1&lat=1&lon=2&note=a%00", "7 note"],
    [`?id=1&lat=1&lon=2&note=${"x".repeat(256)}`, "7 note"],
    [`?id=1&lat=1&lon=2${"&wifi=x".repeat(65)}`, "7 attributes"],
    ["?id=1&lat=1&lon=2&=x", "7 attributes"],
    ["?id=1&lat=1&lon=2&__proto__=x", "7 __proto__"],
    [`?id=1&lat=1&lon=2&note=${"x".repeat(255)}`, "accepted"],
    [`?id=1&lat=1&lon=2${"&wifi=x".repeat(64)}`, "accepted"],
    ["?id=1&timestamp=946684800&batt=100", "accepted"],
  ])("ingest/osmand answers the query %s with %s", async (query, refusal) => {
    expect(await refusalOf(`osmand${query}`)).toBe(refusal);
  });
});

describe("ingest/osmand with JSON", () => {
  const coords = { latitude: "52.1", longitude: 13.5, speed: 10, heading: 90, altitude: 34, accuracy: 4 };

  test("ingest/osmand converts m/s to km/h, takes the device from the query, and a missing time as now", async () => {
    const { device_id, point } = await only("?id=van", post({ location: { coords } }));
    expect(device_id).toBe("van");
    expect(point).toMatchObject({ time: NOW, lat: 52.1, lng: 13.5, speed: 36, heading: 90, alt: 34, precision: 4 });
  });

  test("ingest/osmand takes JSON without coordinates as state alone", async () => {
    const location = { battery: { level: 0.456, is_charging: true }, event: "heartbeat" };
    const { points, facts } = await only("", post({ device_id: "1", location }));
    expect(points).toEqual([]);
    expect(facts).toEqual({ time: NOW, battery_level: 46, charging: true, event: "heartbeat" });
  });

  test("ingest/osmand makes one message per device of an array, with the latest facts", async () => {
    const at = (timestamp: number, more: object) => ({ timestamp, lat: 1, lon: 2, ...more });
    const messages = await messagesFrom(
      "osmand?id=default",
      post([
        at(1_750_000_020, { id: "a", batt: 40, fuel: 5, radio: { deep: 1 } }),
        at(1_750_000_000, { id: "a", batt: 50, charge: true }),
        at(1_750_000_000, { deviceid: "b", location: "3,4", lat: null, lon: null }),
        { location: { coords: { latitude: 5, longitude: 6 } } },
        { id: "c", batt: 7 },
      ]),
    );
    expect(messages.map(({ device_id, points }) => [device_id, points.map(({ lat }) => lat)])).toEqual([
      ["a", [1, 1]],
      ["b", [3]],
      ["default", [5]],
      ["c", []],
    ]);
    expect(messages[0]?.facts).toEqual({ time: 1_750_000_020_000, battery_level: 40, charging: true });
    expect(messages[0]?.points[0]?.attributes).toEqual({ fuel: 5 });
    expect(await messagesFrom("osmand", post([]))).toEqual([]);
  });

  test.each<[unknown, string]>([
    [5, "5"],
    ["text", "5"],
    [null, "5"],
    [{}, "7 id"],
    [{ location: {} }, "7 device_id"],
    [{ device_id: 1.5, location: {} }, "7 device_id"],
    [{ device_id: "1", location: null }, "accepted"],
    [{ device_id: "1", location: 5 }, "7 location"],
    [{ device_id: "1", location: [] }, "7 location"],
    [{ device_id: "1", location: { timestamp: true } }, "7 location.timestamp"],
    [{ device_id: "1", location: { coords: 5 } }, "7 location.coords"],
    [{ device_id: "1", location: { coords: {} } }, "7 location.coords.latitude"],
    [{ device_id: "1", location: { coords: { latitude: 1 } } }, "7 location.coords.longitude"],
    [{ device_id: "1", location: { coords: { ...coords, speed: "x" } } }, "7 location.coords.speed"],
    [{ device_id: "1", location: { battery: 5 } }, "7 location.battery"],
    [{ device_id: "1", location: { battery: { level: 1.01 } } }, "7 location.battery.level"],
    [{ device_id: "1", location: { battery: { is_charging: {} } } }, "7 location.battery.is_charging"],
    [{ device_id: "1", location: { odometer: "far" } }, "7 location.odometer"],
    [{ device_id: "1", location: { event: 5 } }, "7 location.event"],
    [[{ id: "1" }, 5], "7 1"],
    [[{ id: "1" }, { id: "1", lat: 91, lon: 1 }], "7 1.lat"],
    [[{ device_id: "1", location: { coords: {} } }], "7 0.location.coords.latitude"],
    [new Array(1000).fill({ id: "1" }), "accepted"],
    [new Array(1001).fill({ id: "1" }), "7 "],
  ])("ingest/osmand answers the JSON %j with %s", async (body, refusal) => {
    expect(await refusalOf("osmand", post(JSON.stringify(body)))).toBe(refusal);
  });
});
