import { readFileSync } from "node:fs";
import { zipSync } from "fflate";
import { expect, test } from "vitest";
import { decodeKmlFile } from "./decode-file.ts";
import { parseKml } from "./read-kml.ts";

const fixture = (path: string) => new Uint8Array(readFileSync(`test/fixtures/${path}`));
const read = (bytes: Uint8Array) => parseKml(decodeKmlFile(bytes), 150);
const zonesOf = (bytes: Uint8Array) => read(bytes).zones.map(({ input }) => input);
const bytesOf = (text: string) => new TextEncoder().encode(text);
const ofText = (text: string) => zonesOf(bytesOf(text));
const kml = (inner: string) => `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${inner}</Document></kml>`;
const placemark = (geometry: string, name = "<name>Here</name>") => `<Placemark>${name}${geometry}</Placemark>`;
const pointAt = (coordinates: string) => `<Point><coordinates>${coordinates}</coordinates></Point>`;

function tooLarge(limit: string) {
  return expect.objectContaining({
    code: 9,
    extra: { errors: [{ parameter: "file", error: `must have at most ${limit}` }] },
  });
}

/** The error code with which parsing fails. */
function refusalOf(read: () => unknown) {
  try {
    read();
  } catch (thrown) {
    return (thrown as { code: number }).code;
  }
  return undefined;
}

test("zonesOf makes points circles, lines sausages and polygons outer boundaries, with the names of their folders", () => {
  const { zones, skipped } = read(fixture("kml/folder-of-point-line-polygon.xml"));
  const [circle, polygon] = zones.map(({ input }) => input);
  expect(circle).toMatchObject({ type: "circle", label: "Folder.kml / Placemark 1 (Point)", radius: 150 });
  expect(circle?.center).toEqual({ lat: 37.830266, lng: -122.377588 });
  expect(polygon).toMatchObject({ type: "polygon", label: "Folder.kml / Placemark 2 (Polygon)", radius: null });
  // Without the point that closes the ring.
  expect(polygon?.points).toHaveLength(3);
  expect(skipped).toMatchObject([{ index: 2, reason: "has too few points" }]);
  const line = "<LineString><coordinates>8,40 8,41 8,42</coordinates></LineString>";
  const [sausage] = ofText(kml(placemark(line)));
  const nodes = sausage?.points?.map(({ node }) => node);
  expect([sausage?.type, sausage?.radius, nodes]).toEqual(["sausage", 150, [true, false, true]]);
});

test.each([
  ["kml/all-kinds-of-features.kml", 17],
  ["kml/folders-and-multigeometry.kml", 11],
  ["kml/hundred-points.kml", 101],
  ["kml/old-namespace.kml", 2],
  ["kml/polygon-with-hole.kml", 1],
  ["kml/coordinates-without-spaces.kml", 1],
  ["kml/byte-order-mark.kml", 2],
  ["kml/cdata.kml", 1],
  ["kml/placemark-without-geometry.kml", 0],
  ["kml/gx-track.kml", 0],
  ["kml/nested-folders.kml", 0],
  ["kmz/zip64-sizes.kmz", 1],
  ["kmz/doc-kml-second.kmz", 0],
  ["kmz/doc-kml-and-other-file.kmz", 0],
  ["kmz/no-doc-kml-at-root.kmz", 0],
])("zonesOf finds in %s %d zones", (path, count) => {
  expect(zonesOf(fixture(path))).toHaveLength(count);
});

test.each([
  "kml/multigeometry-of-lines.kml",
  "kml/ring-with-invalid-tuple.kml",
  "kml/polygon-as-root.xml",
  "kmz/without-kml.kmz",
])("zonesOf refuses %s", (path) => {
  expect(refusalOf(() => zonesOf(fixture(path)))).toBe(234);
});

test.each([
  ["nothing", ""],
  ["what is no XML", "label;address"],
  ["XML that ends too early", "<kml><Document>"],
  ["tags that cross", "<kml><Document></kml></Document>"],
  ["another document", "<html><body/></html>"],
  ["an unknown entity", kml(placemark(pointAt("8,40"), "<name>&bomb;</name>"))],
  ["a latitude that is none", kml(placemark(pointAt("8,91")))],
  ["a place of one number", kml(placemark(pointAt("8")))],
  ["a place without a number", kml(placemark(pointAt("8,north")))],
  ["no place", kml(placemark(pointAt("")))],
  ["a pair without its first", kml(placemark(pointAt(",40")))],
])("zonesOf refuses a document of %s", (_, text) => {
  expect(refusalOf(() => ofText(text))).toBe(234);
});

test("zonesOf skips what cannot be a zone with its index, name and reason, and reads the others", () => {
  const line = (coordinates: string) => `<LineString><coordinates>${coordinates}</coordinates></LineString>`;
  const good = placemark(pointAt("8,40"), "<name>Good</name>");
  const broken: [string, string][] = [
    [pointAt("8,91"), "has a coordinate that is none"],
    [pointAt("8,north"), "has a coordinate that is none"],
    [pointAt(""), "has no coordinates"],
    [line("8,40 8,41"), "has too few points"],
    [line("8,40 8,41 ".repeat(513)), "has too many points"],
    ["", "has no point, line or polygon"],
    [`<MultiGeometry>${pointAt("8,40")}${pointAt("8")}</MultiGeometry>`, "has a coordinate that is none"],
  ];
  const file = kml(good + broken.map(([geometry]) => placemark(geometry, "<name>Bad</name>")).join("") + good);
  const { zones, skipped } = read(bytesOf(file));
  expect(zones.map(({ input }) => input.label)).toEqual(["Good", "Good"]);
  expect(skipped).toEqual(broken.map(([, reason], index) => ({ index: index + 1, name: "Bad", reason })));
});

test("zonesOf refuses a file without a usable placemark, with the code for too many points if that is the only reason", () => {
  const line = (count: number) =>
    placemark(`<LineString><coordinates>${"8,40 8,41 ".repeat(count)}</coordinates></LineString>`);
  expect(refusalOf(() => ofText(kml(line(513) + line(513))))).toBe(202);
  expect(refusalOf(() => ofText(kml(line(513) + line(1))))).toBe(234);
  expect(refusalOf(() => ofText(kml(line(1))))).toBe(234);
});

test("zonesOf prefers a valid radius in the data to the default", () => {
  const data = (value: string) => `<ExtendedData><Data name="radius"><value>${value}</value></Data></ExtendedData>`;
  const simple = '<ExtendedData><SchemaData><SimpleData name="radius">70</SimpleData></SchemaData></ExtendedData>';
  const radii = [data("500"), data("0"), data("many"), simple, data("12.6")].map(
    (extended) => ofText(kml(placemark(extended + pointAt("8,40"))))[0]?.radius,
  );
  expect(radii).toEqual([500, 150, 150, 70, 13]);
});

test("zonesOf numbers placemarks without a name, and keeps the end of a name that is too long", () => {
  const unnamed = placemark(pointAt("8,40"), "");
  const long = placemark(pointAt("8,40"), `<name>${"x".repeat(300)}end</name>`);
  const labels = ofText(kml(`<name>Yards &amp; co</name>${unnamed}${unnamed}${long}`)).map(({ label }) => label);
  expect(labels.slice(0, 2)).toEqual(["Yards & co / #1", "Yards & co / #2"]);
  expect([labels[2]?.length, labels[2]?.slice(-6)]).toEqual([255, "xxxend"]);
});

test("zonesOf reads other encodings as the document declares them", () => {
  const text = `<?xml version="1.0" encoding="ISO-8859-1"?>${kml(placemark(pointAt("8,40"), "<name>Süd</name>"))}`;
  expect(zonesOf(Uint8Array.from(Buffer.from(text, "latin1")))[0]?.label).toBe("Süd");
  const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text.replace("ISO-8859-1", "UTF-16"), "utf16le")]);
  expect(zonesOf(new Uint8Array(wide))[0]?.label).toBe("Süd");
  expect(refusalOf(() => zonesOf(Uint8Array.from(Buffer.from(text.replace("ISO-8859-1", "UTF-8"), "latin1"))))).toBe(
    234,
  );
  expect(refusalOf(() => ofText(text.replace("ISO-8859-1", "none-such")))).toBe(234);
});

test("zonesOf refuses an archive that expands too far, and files with too many parts, and names the limit (9)", () => {
  const bomb = zipSync({ "doc.kml": new Uint8Array(17 * 1024 * 1024) });
  expect(bomb.length).toBeLessThan(100_000);
  expect(() => zonesOf(bomb)).toThrow(tooLarge("16777216 bytes when unpacked"));
  const many = placemark(pointAt("8,40")).repeat(5001);
  expect(() => ofText(kml(many))).toThrow(tooLarge("5000 zones"));
  const empty = placemark("").repeat(10_001);
  expect(() => ofText(kml(empty))).toThrow(tooLarge("10000 placemarks or features"));
  expect(ofText(kml(many.slice(0, (many.length / 5001) * 5000)))).toHaveLength(5000);
  for (const separator of [" ", ",0,"]) {
    const line = (count: number) =>
      placemark(`<LineString><coordinates>${`8,40${separator}`.repeat(count).slice(0, -1)}</coordinates></LineString>`);
    // The limit of points counts the whole document: at the limit the line is rejected as too long for a zone (202).
    expect(refusalOf(() => ofText(kml(line(200_000))))).toBe(202);
    expect(() => ofText(kml(line(200_001)))).toThrow(tooLarge("200000 points"));
  }
  const deep = (levels: number) => kml(`${"<Folder>".repeat(levels)}${"</Folder>".repeat(levels)}`);
  expect(ofText(deep(998))).toEqual([]);
  expect(() => ofText(deep(999))).toThrow(tooLarge("1000 elements within each other"));
  const wide = (count: number) => kml(`<a ${Array.from({ length: count }, (_, index) => `a${index}=""`).join(" ")}/>`);
  expect(ofText(wide(1000))).toEqual([]);
  expect(() => ofText(wide(1001))).toThrow(tooLarge("1000 attributes of an element"));
});

test("zonesOf reads coordinate tuples with any separators, also across the pieces of a file", () => {
  const read = (coordinates: string) =>
    ofText(kml(placemark(`<LineString><coordinates>${coordinates}</coordinates></LineString>`)))[0]?.points?.map(
      ({ lng, lat }) => [lng, lat],
    );
  const three = [
    [8, 40],
    [9, 41],
    [9, 42],
  ];
  for (const text of ["8,40 9,41", "\n8,40,0\t9,41,0 ", "8,40,0,9,41,0", "8,40,,9,41,", "8,40\u00a09,41"].map(
    (one) => `${one} 9,42`,
  )) {
    expect(read(text), text).toEqual(three);
  }
  expect(read(`${" ".repeat(100_001)}8,40 9,41 9,42`)).toEqual(three);
  const many = Array.from({ length: 1024 }, (_, index) => [8.5, 40 + index / 1024]);
  const blanks = " ".repeat(100);
  expect(read(many.map((place) => place.join(",")).join(blanks))).toEqual(many);
  for (const text of ["8,40,0,9,41", "8,40,0,9"])
    expect(
      refusalOf(() => read(text)),
      text,
    ).toBe(234);
});

test("zonesOf skips elements named like members of every object", () => {
  for (const name of ["__proto__", "constructor"]) {
    expect(ofText(kml(placemark(`<${name}><coordinates>8,40</coordinates></${name}>`)))).toEqual([]);
  }
});

test("zonesOf labels a zone by the end of its folders' names and its own", () => {
  const inFolders = (names: string[], inner: string) =>
    names.reduceRight((text, name) => `<Folder><name>${name}</name>${text}</Folder>`, inner);
  const names = Array.from({ length: 100 }, (_, index) => `F${index}`);
  const [label] = ofText(kml(inFolders(names, placemark(pointAt("8,40"))))).map((zone) => zone.label);
  expect(label).toBe([...names, "Here"].join(" / ").slice(-255));
  const pairs = ofText(kml(placemark(pointAt("8,40"), `<name>x${"🚚".repeat(300)}</name>`)))[0]?.label;
  expect(pairs).toBe("🚚".repeat(255));
});
