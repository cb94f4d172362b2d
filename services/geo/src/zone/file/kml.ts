import XMLBuilder from "fast-xml-builder";
import { Zip, ZipDeflate } from "fflate";

/** A point as its reader sees it: both times in the user's zone. */
export type KmlPoint = {
  time: string; // 2024-05-02 08:00:03
  iso_time: string; // 2024-05-02T08:00:03.000+02:00
  lat: number;
  lng: number;
  speed: number | null;
  heading: number | null;
};
type Points = AsyncIterable<KmlPoint> | Iterable<KmlPoint>;

/** A Placemark per point, a Folder per trip, or Placemarks whose members are in the schema's order. */
export type KmlContent =
  | { points: Points }
  | { trips: AsyncIterable<{ points: Points }> | Iterable<{ points: Points }> }
  | { placemarks: AsyncIterable<object> };

/** `from` in the user's zone. */
export function trackName(label: string, from: string): string {
  return `track-${label} ${from}`;
}

/** The document is made while it is read, so its length does not matter. */
export function writeKml(name: string, content: KmlContent): ReadableStream<Uint8Array> {
  return streamOf(encodeFragments(writeFragments(name, content)));
}

/** A ZIP archive with the document in it. */
export function writeKmz(name: string, content: KmlContent): ReadableStream<Uint8Array> {
  return streamOf(zip("doc.kml", encodeFragments(writeFragments(name, content))));
}

const xml = new XMLBuilder({ ignoreAttributes: false, suppressBooleanAttributes: false });
// All that XML 1.0 allows; the rest cannot be escaped either.
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

/** The end comes after the line: where a trip ends is known when its last point is read. */
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
    // A line needs two places, so it begins with the second.
    else yield `${count === 2 ? lineHead + formatCoordinates(last) : ""} ${formatCoordinates(point)}`;
    last = point;
  }
  if (!last) return;
  if (count > 1) yield lineTail;
  yield xml.build({ Placemark: pointPlacemark("end", last) }) + folderTail;
}

/** In the schema's order. */
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

/** To a centimetre, and never as 1e-7. */
export function formatCoordinates({ lat, lng }: Pick<KmlPoint, "lat" | "lng">): string {
  return [lng, lat].map((degrees) => degrees.toFixed(7).replace(/\.?0+$/, "")).join(",");
}

/** Text of which XML can hold every character. */
export function toXmlText(text: string): string {
  return text.replace(INVALID_IN_XML, "\uFFFD");
}

/** What stands before and after the content to come of the one element of this name. */
function splitAtEnd(name: string, document: object): [string, string] {
  const whole = xml.build(document);
  const end = whole.lastIndexOf(`</${name}>`);
  return [whole.slice(0, end), whole.slice(end)];
}

// A Placemark has a third of a kilobyte: one by one they would cost more in passing on than in writing.
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

/** Makes the next chunk when it is asked for; a reader that leaves ends the source, too. */
function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    type: "bytes", // the only kind that passes between Workers
    async pull(controller) {
      const { value, done } = await chunks.next();
      if (!done) return controller.enqueue(value);
      controller.close();
      controller.byobRequest?.respond(0); // else a reader with its own buffer waits for ever
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}
