import { unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { validateKml } from "../../../../../test/tool/document/kml-schema.ts";
import { type KmlPoint, trackName, writeKml, writeKmz } from "./kml.ts";

const NAME = trackName("Van 7", "2024-05-02 08:00:00");

function pointAt(seconds: number, more: Partial<KmlPoint> = {}): KmlPoint {
  const clock = `08:00:${String(seconds % 60).padStart(2, "0")}`;
  return {
    time: `2024-05-02 ${clock}`,
    iso_time: `2024-05-02T${clock}.000+02:00`,
    lat: 51.5001,
    lng: 9.93 + seconds / 1000,
    speed: 37,
    heading: 27,
    ...more,
  };
}

function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}

/** The document without the head that all documents share. */
async function bodyOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const text = await textOf(stream);
  const head =
    '<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2">' +
    "<Document><name>track-Van 7 2024-05-02 08:00:00</name>";
  expect(text.startsWith(head)).toBe(true);
  expect(text.endsWith("</Document></kml>")).toBe(true);
  return text.slice(head.length, -"</Document></kml>".length);
}

test("writeKml writes a point as a Placemark with its times, speed, heading and place", async () => {
  expect(await bodyOf(writeKml(NAME, { points: [pointAt(3)] }))).toBe(
    "<Placemark><name>point #1</name><visibility>1</visibility><description>2024-05-02 08:00:03</description>" +
      "<TimeStamp><when>2024-05-02T08:00:03.000+02:00</when></TimeStamp>" +
      '<ExtendedData><Data name="speed"><value>37</value></Data><Data name="heading"><value>27</value></Data>' +
      "</ExtendedData><Point><coordinates>9.933,51.5001</coordinates></Point></Placemark>",
  );
});

test("writeKml leaves unmeasured values out", async () => {
  const bare = await bodyOf(writeKml(NAME, { points: [pointAt(0, { speed: null, heading: null })] }));
  expect(bare).not.toContain("ExtendedData");
  const standing = await bodyOf(writeKml(NAME, { points: [pointAt(0, { speed: 0, heading: null })] }));
  expect(standing).toContain('<ExtendedData><Data name="speed"><value>0</value></Data></ExtendedData>');
});

test("writeKml writes coordinates as plain decimals, longitude first", async () => {
  const points = [pointAt(0, { lat: 1e-7, lng: -180 }), pointAt(0, { lat: 52, lng: 0.1 + 0.2 })];
  const text = await bodyOf(writeKml(NAME, { points }));
  expect(text.match(/(?<=<coordinates>)[^<]*/g)).toEqual(["-180,0.0000001", "0.3,52"]);
});

test("writeKml writes a trip as a Folder with its start, its line and its end", async () => {
  const trips = [{ points: [pointAt(0), pointAt(1), pointAt(2)] }, { points: [pointAt(5), pointAt(6)] }];
  const text = await bodyOf(writeKml(NAME, { trips }));
  expect(text.match(/(?<=<name>)[^<]*/g)).toEqual([
    "trip #1",
    "start",
    "track",
    "end",
    "trip #2",
    "start",
    "track",
    "end",
  ]);
  expect(text.match(/(?<=<coordinates>)[^<]*/g)).toEqual([
    "9.93,51.5001",
    "9.93,51.5001 9.931,51.5001 9.932,51.5001",
    "9.932,51.5001",
    "9.935,51.5001",
    "9.935,51.5001 9.936,51.5001",
    "9.936,51.5001",
  ]);
});

test("writeKml writes a trip of one point without a line, and a trip without points not at all", async () => {
  const text = await bodyOf(writeKml(NAME, { trips: [{ points: [pointAt(0)] }, { points: [] }] }));
  expect(text.match(/<Folder>/g)).toHaveLength(1);
  expect(text.match(/<Placemark>/g)).toHaveLength(2);
  expect(text).not.toContain("LineString");
});

test("writeKml escapes a label's marks, and replaces characters that XML cannot hold", async () => {
  const text = await textOf(writeKml(trackName("<b>&\"'\u0001\ud800\uffff 🚚\t", "x"), { points: [] }));
  expect(text).toContain("<name>track-&lt;b&gt;&amp;&quot;&apos;\ufffd\ufffd\ufffd 🚚\t x</name>");
});

describe("the KML schema", () => {
  const few = [pointAt(0), pointAt(1, { speed: null }), pointAt(2, { speed: null, heading: null })];

  test.each([
    ["points", { points: few }],
    ["no points", { points: [] }],
    ["trips", { trips: [{ points: few }, { points: few.slice(1, 2) }, { points: [] }] }],
    ["no trips", { trips: [] }],
  ])("the KML schema accepts a document with %s", async (_, content) => {
    const document = await textOf(writeKml(trackName("<&>\u0001", "x"), content));
    expect(() => validateKml(document)).not.toThrow();
  });

  test("the KML schema refuses another order of elements", async () => {
    const document = await textOf(writeKml(NAME, { points: few }));
    const reordered = document.replace(/(<visibility>.*?)(<description>.*?)(<TimeStamp>)/, "$2$1$3");
    expect(() => validateKml(reordered)).toThrow("visibility");
  });
});

test("writeKmz writes a ZIP archive with the document of writeKml", async () => {
  const points = Array.from({ length: 2000 }, (_, seconds) => pointAt(seconds));
  const kmz = new Uint8Array(await new Response(writeKmz(NAME, { points })).arrayBuffer());
  const files = unzipSync(kmz);
  expect(Object.keys(files)).toEqual(["doc.kml"]);
  expect(new TextDecoder().decode(files["doc.kml"])).toBe(await textOf(writeKml(NAME, { points })));
  expect(kmz.length).toBeLessThan(100_000);
});

describe.each([
  ["KML", writeKml],
  ["KMZ", writeKmz],
])("the %s stream", (_, write) => {
  test("the writer asks for points as its bytes are read, and stops when the reader leaves", async () => {
    let asked = 0;
    let ended = false;
    async function* endless() {
      try {
        for (;;) {
          asked += 1;
          yield pointAt(asked);
        }
      } finally {
        ended = true;
      }
    }
    const reader = write(NAME, { points: endless() }).getReader();
    expect(asked).toBe(0);
    const { value } = await reader.read();
    expect(value?.length).toBeGreaterThan(0);
    expect(asked).toBeLessThan(1000);
    await reader.cancel();
    expect(ended).toBe(true);
  });

  test("the writer fails when its source fails", async () => {
    async function* failing() {
      yield pointAt(0);
      throw new Error("lost");
    }
    await expect(textOf(write(NAME, { points: failing() }))).rejects.toThrow("lost");
  });

  test("the writer's stream ends for a reader with its own buffer", async () => {
    const reader = write(NAME, { points: [] }).getReader({ mode: "byob" });
    let bytes = 0;
    for (;;) {
      const { value, done } = await reader.read(new Uint8Array(64));
      if (done) break;
      bytes += value.length;
    }
    expect(bytes).toBeGreaterThan(100);
  });
});
