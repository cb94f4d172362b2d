import { describe, expect, test } from "vitest";
import { DAY_MS } from "#shared/time/duration.ts";
import { messagesFrom, NOW, post, refusalOf } from "../../../../test/tool/call/ingest-request.ts";

const place = { time: "2025-06-30T10:00:00Z", lat: 51.5, lng: 9.93 };

function batch(...points: unknown[]) {
  return post({ device_id: "860000000000017", points });
}

async function readBack(point: object) {
  const [message] = await messagesFrom("points", batch({ ...place, ...point }));
  return message?.points[0];
}

test("ingest/points takes every member of a full point", async () => {
  const full = {
    ...{ speed: 43, heading: 90, alt: 120.5, satellites: 11, precision: 10, gsm_lbs: false, buffered: true },
    inputs: [true, false, true],
    attributes: { fuel: 24.5, door: false, driver: "00A1B2", empty: "", gone: null },
  };
  const [message] = await messagesFrom("points", batch({ ...place, ...full, unknown: { deep: [1] } }));
  expect(message).toEqual({
    form: "parsed",
    device_id: "860000000000017",
    key: null,
    facts: {},
    points: [
      {
        ...full,
        time: Date.parse(place.time),
        lat: 51.5,
        lng: 9.93,
        inputs: 0b101,
        attributes: { fuel: 24.5, door: false, driver: "00A1B2", empty: "" },
      },
    ],
  });
});

test("ingest/points takes a member that is missing or null as unknown", async () => {
  const unknown = {
    ...{ speed: null, heading: null, alt: null, satellites: null, precision: null, inputs: null },
    ...{ gsm_lbs: false, buffered: false, attributes: null },
  };
  const expected = { ...unknown, time: Date.parse(place.time), lat: 51.5, lng: 9.93 };
  expect(await readBack({})).toEqual(expected);
  expect(await readBack({ ...unknown, gsm_lbs: null, buffered: null })).toEqual(expected);
  expect(await readBack({ attributes: {} })).toEqual(expected);
});

test("ingest/points takes numbers and booleans as text", async () => {
  const text = { lat: "-51.5", lng: "9.93e0", speed: "43", satellites: "7", gsm_lbs: "true", buffered: "false" };
  expect(await readBack({ ...text, inputs: ["true", "false"], time: `${NOW}` })).toMatchObject({
    ...{ time: NOW, lat: -51.5, lng: 9.93, speed: 43, satellites: 7, gsm_lbs: true, buffered: false, inputs: 1 },
  });
});

test("ingest/points takes a time in ISO 8601 or milliseconds", async () => {
  expect(await readBack({ time: NOW })).toMatchObject({ time: NOW });
  expect(await readBack({ time: "2025-06-30T12:00:00+0200" })).toMatchObject({ time: Date.parse(place.time) });
  expect(await readBack({ time: "2025-06-30 10:00:00" })).toMatchObject({ time: Date.parse(place.time) });
});

test("ingest/points checks each range on both sides of its ends", async () => {
  const ends: [string, unknown, unknown][] = [
    ["lat", 90, 90.0000001],
    ["lat", -90, -90.0000001],
    ["lng", 180, 180.0000001],
    ["lng", -180, -180.0000001],
    ["speed", 0, -0.1],
    ["speed", 10_000, 10_000.1],
    ["heading", 0, -1],
    ["heading", 360, 360.1],
    ["alt", -1_000_000, -1_000_001],
    ["alt", 1_000_000, 1_000_001],
    ["satellites", 0, -1],
    ["satellites", 255, 256],
    ["satellites", 5, 5.5],
    ["precision", 0, -1],
    ["precision", 10_000_000, 10_000_001],
    ["inputs", new Array(32).fill(true), new Array(33).fill(true)],
    ["time", Date.UTC(2000, 0, 1), Date.UTC(2000, 0, 1) - 1],
    ["time", NOW + DAY_MS, NOW + DAY_MS + 1],
  ];
  for (const [member, right, wrong] of ends) {
    expect(await refusalOf("points", batch({ ...place, [member]: right })), `${member} ${right}`).toBe("accepted");
    expect(await refusalOf("points", batch(place, { ...place, [member]: wrong }))).toBe(`7 points.1.${member}`);
  }
});

test("ingest/points names a value of the wrong kind by its path", async () => {
  const wrong: [string, unknown][] = [
    ...["time", "lat", "lng"].flatMap((name): [string, unknown][] => [
      [name, null],
      [name, undefined],
    ]),
    ...["time", "lat", "lng", "speed", "heading", "alt", "satellites", "precision"].flatMap(
      (name): [string, unknown][] =>
        [true, "", " 1", "NaN", "0x10", "1e999", "1".repeat(50), [], {}].map((v) => [name, v]),
    ),
    ...["gsm_lbs", "buffered"].flatMap((name): [string, unknown][] => [1, "yes", "", {}].map((v) => [name, v])),
    ...[1, "true", {}].map((v): [string, unknown] => ["inputs", v]),
    ...[1, "x", []].map((v): [string, unknown] => ["attributes", v]),
  ];
  for (const [member, value] of wrong) {
    const body = batch({ ...place, [member]: value });
    expect(await refusalOf("points", body), `${member}: ${JSON.stringify(value)}`).toBe(`7 points.0.${member}`);
  }
  expect(await refusalOf("points", batch({ ...place, inputs: [true, 1] }))).toBe("7 points.0.inputs.1");
  expect(await refusalOf("points", batch(place, 5))).toBe("7 points.1");
  expect(await refusalOf("points", batch(null))).toBe("7 points.0");
});

test("ingest/points refuses infinite numbers of JSON", async () => {
  for (const member of ["time", "lat", "lng", "speed", "alt"]) {
    const text = JSON.stringify({ device_id: "1", points: [{ ...place, [member]: 0 }] });
    const body = post(text.replace(`"${member}":0`, `"${member}":1e999`));
    expect(await refusalOf("points", body)).toBe(`7 points.0.${member}`);
  }
  const attribute = post(
    '{"device_id":"1","points":[{"time":1750000000000,"lat":1,"lng":1,"attributes":{"a":-1e999}}]}',
  );
  expect(await refusalOf("points", attribute)).toBe("7 points.0.attributes.a");
});

describe("ingest/points with attributes", () => {
  const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, 1]));

  test.each<[string, object, object, string]>([
    ["number", named(64), named(65), ""],
    ["name", { ["n".repeat(64)]: 1 }, { ["n".repeat(65)]: 1 }, `.${"n".repeat(65)}`],
    ["text", { a: "x".repeat(255) }, { a: "x".repeat(256) }, ".a"],
  ])("ingest/points limits the %s of attributes", async (_, right, wrong, path) => {
    expect(await refusalOf("points", batch({ ...place, attributes: right }))).toBe("accepted");
    expect(await refusalOf("points", batch({ ...place, attributes: wrong }))).toBe(`7 points.0.attributes${path}`);
  });

  test.each<[unknown, string]>([
    [{ a: {} }, "a"],
    [{ a: [1] }, "a"],
    [{ a: "\0" }, "a"],
    [{ a: "\ud800" }, "a"],
    [{ "": 1 }, ""],
    [{ "a\0": 1 }, "a\0"],
    [JSON.parse('{"__proto__": 1}'), "__proto__"],
  ])("ingest/points refuses the attributes %j", async (attributes, name) => {
    const parameter = name === "" ? "attributes" : `attributes.${name}`;
    expect(await refusalOf("points", batch({ ...place, attributes }))).toBe(`7 points.0.${parameter}`);
  });
});

describe("ingest/points with a batch", () => {
  test("ingest/points takes an empty batch, and at most 1000 points", async () => {
    expect(await messagesFrom("points", batch())).toEqual([
      { form: "parsed", device_id: "860000000000017", key: null, points: [], facts: {} },
    ]);
    expect(await refusalOf("points", batch(...new Array(1000).fill(place)))).toBe("accepted");
    expect(await refusalOf("points", batch(...new Array(1001).fill(place)))).toBe("7 points");
  });

  test.each([5, "text", true, null, [], [place]])("ingest/points refuses %j as a body (5)", async (body) => {
    expect(await refusalOf("points", post(JSON.stringify(body)))).toBe("5");
  });

  test("ingest/points refuses a batch without points or a device", async () => {
    for (const points of [undefined, null, {}, "x", 5]) {
      expect(await refusalOf("points", post({ device_id: "1", points }))).toBe("7 points");
    }
    for (const device_id of [undefined, null, "", "x".repeat(65), "a\0", "a\nb", "\ud800", 1.5, {}, true]) {
      expect(await refusalOf("points", post({ device_id, points: [] }))).toBe("7 device_id");
    }
    for (const device_id of ["x", "x".repeat(64), "van 7", 860000000000017]) {
      expect(await refusalOf("points", post({ device_id, points: [] }))).toBe("accepted");
    }
  });

  test("ingest/points takes the key from the query or a header, the query first", async () => {
    const body = { device_id: "1", points: [] };
    const keyed = post(body, { "X-Ingest-Key": "from-the-header-0" });
    expect((await messagesFrom("points", keyed))[0]?.key).toBe("from-the-header-0");
    expect((await messagesFrom("points?key=from-the-query-00", keyed))[0]?.key).toBe("from-the-query-00");
    expect((await messagesFrom("points?key=", post(body)))[0]?.key).toBeNull();
    expect(await refusalOf("points?key=%00", post(body))).toBe("7 key");
  });
});
