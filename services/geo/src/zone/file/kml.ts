import XMLBuilder from "fast-xml-builder";
import { Zip, ZipDeflate } from "fflate";

/** A point with both times in the user's time zone. */
export type KmlPoint = {
  time: string; // 2024-05-02 08:00:03
  iso_time: string; // 2024-05-02T08:00:03.000+02:00
  lat: number;
  lng: number;
  speed: number | null;
  heading: number | null;
};
type Points = AsyncIterable<KmlPoint> | Iterable<KmlPoint>;

/** A Placemark per point, a Folder per trip, or given Placemarks with members in the schema's order. */
export type KmlContent =
  | { points: Points }
  | { trips: AsyncIterable<{ points: Points }> | Iterable<{ points: Points }> }
  | { placemarks: AsyncIterable<object> };

/** The name of a downloaded track; `from` is in the user's time zone. */
export function trackName(label: string, from: string): string {
  return `track-${label} ${from}`;
}

/** Writes a KML document (OGC KML 2.3) as a stream: its length needs no memory. */
export function writeKml(name: string, content: KmlContent): ReadableStream<Uint8Array> {
  return streamOf(encodeFragments(writeFragments(name, content)));
}

/** Writes a KMZ file: a ZIP archive with the document (OGC KML 2.3). */
export function writeKmz(name: string, content: KmlContent): ReadableStream<Uint8Array> {
  return streamOf(zip("doc.kml", encodeFragments(writeFragments(name, content))));
}

const xml = new XMLBuilder({ ignoreAttributes: false, suppressBooleanAttributes: false });
// Characters that XML 1.0 cannot contain, even escaped (section 2.2).
const INVALID_IN_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

async function* writeFragments(name: string, content: KmlContent) {
  const [head, tail] = splitAtEnd("Document", {
    "?xml": { "@_version": "1.0", "@_encoding": "UTF-8" },
    kml: { "@_xmlns": "http://www.opengis.net/kml/2.2", Document: { name: toXmlText(name) } },
  });
  yield head;
  if ("points" in content) yield* pointFragments(content.points);
  else if ("placemarks" in content) yield* placemarkFragments(content.placemarks);
  else yield* tripFragments(content.trips);
  yield tail;
}

async function* pointFragments(points: Points) {
  let number = 0;
  for await (const point of points) {
    number += 1;
    yield xml.build({ Placemark: pointPlacemark(`point #${number}`, point) });
  }
}

async function* placemarkFragments(placemarks: AsyncIterable<object>) {
  for await (const placemark of placemarks) yield xml.build({ Placemark: placemark });
}

async function* tripFragments(trips: AsyncIterable<{ points: Points }> | Iterable<{ points: Points }>) {
  let number = 0;
  for await (const { points } of trips) {
    number += 1;
    yield* tripFolder(`trip #${number}`, points);
  }
}

/** The Folder of a trip. Its end follows the line: it is known only when the last point is read. */
async function* tripFolder(name: string, points: Points) {
  const [folderHead, folderTail] = splitAtEnd("Folder", { Folder: { name } });
  const [lineHead, lineTail] = splitAtEnd("coordinates", {
    Placemark: { name: "track", visibility: 1, LineString: { tessellate: 1, coordinates: "" } },
  });
  let count = 0;
  let last: KmlPoint | undefined;
  for await (const point of points) {
    count += 1;
    if (!last) yield folderHead + xml.build({ Placemark: pointPlacemark("start", point) });
    // A line needs two positions, so it begins with the second point.
    else yield `${count === 2 ? lineHead + formatCoordinates(last) : ""} ${formatCoordinates(point)}`;
    last = point;
  }
  if (!last) return;
  if (count > 1) yield lineTail;
  yield xml.build({ Placemark: pointPlacemark("end", last) }) + folderTail;
}

/** Members in the order of the KML schema (OGC KML 2.3, kml:Placemark). */
function pointPlacemark(name: string, point: KmlPoint) {
  const data = Object.entries({ speed: point.speed, heading: point.heading }).filter(([, value]) => value !== null);
  return {
    name,
    visibility: 1,
    description: toXmlText(point.time),
    TimeStamp: { when: point.iso_time },
    ExtendedData: data.length > 0 ? { Data: data.map(([key, value]) => ({ "@_name": key, value })) } : undefined,
    Point: { coordinates: formatCoordinates(point) },
  };
}

/** A position with seven decimals (one centimeter), never in exponential notation. */
export function formatCoordinates({ lat, lng }: Pick<KmlPoint, "lat" | "lng">): string {
  return [lng, lat].map((degrees) => degrees.toFixed(7).replace(/\.?0+$/, "")).join(",");
}

/** Replaces characters that XML cannot contain. */
export function toXmlText(text: string): string {
  return text.replace(INVALID_IN_XML, "\uFFFD");
}

/** The document before and after the content of its only element with this name. */
function splitAtEnd(name: string, document: object): [string, string] {
  const whole = xml.build(document);
  const end = whole.lastIndexOf(`</${name}>`);
  return [whole.slice(0, end), whole.slice(end)];
}

// A Placemark is about 300 bytes: single ones would cost more in streaming than in writing.
const CHUNK_CHARACTERS = 32 * 1024;

async function* encodeFragments(fragments: AsyncIterable<string>) {
  const encoder = new TextEncoder();
  let text = "";
  for await (const fragment of fragments) {
    text += fragment;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield encoder.encode(text);
    text = "";
  }
  if (text !== "") yield encoder.encode(text);
}

async function* zip(name: string, chunks: AsyncIterable<Uint8Array>) {
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    if (chunk.length > 0) ready.push(chunk);
  });
  const file = new ZipDeflate(name);
  zip.add(file);
  for await (const chunk of chunks) {
    file.push(chunk);
    yield* ready.splice(0);
  }
  file.push(new Uint8Array(), true);
  zip.end();
  yield* ready;
}

/** A stream that makes chunks on demand; cancelling it ends the source too. */
function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    type: "bytes", // the only type that crosses between Workers
    async pull(controller) {
      const { value, done } = await chunks.next();
      if (!done) return controller.enqueue(value);
      controller.close();
      controller.byobRequest?.respond(0); // or a reader with its own buffer waits forever
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}
