import { zipSync } from "fflate";
import { expect, test } from "vitest";
import { isApiError } from "#shared/error/api-error.ts";
import { zonesOfKml } from "./read-kml.ts";
import { textOfFile } from "./text-of-file.ts";

const MIB = 1024 * 1024;
const [HEAD, TAIL] = ["<kml><Document>", "</Document></kml>"];
const POINT = "<Point><coordinates>8,40</coordinates></Point>";
const line = (coordinates: string) =>
  `<Placemark><LineString><coordinates>${coordinates}</coordinates></LineString></Placemark>`;
const folder = (name: string) => `<Folder><name>${name}</name><Placemark>${POINT}</Placemark>`;

// Sixteen megabytes on a machine with other work.
const LONG = { timeout: 60_000 };

/** What a document is made of that would be dear if any part of it were looked at again and again. */
const SHAPES: [string, (size: number) => string][] = [
  ["one tuple of numbers", (size) => line(repeated("8,40,0,", size).slice(0, -1))],
  ["one tuple of numbers that is none in the end", (size) => line(`${repeated("8,40,0,", size)}8`)],
  ["one number", (size) => line(`8,4${repeated("0", size)}`)],
  ["tuples of three", (size) => line(repeated("8,40,0 ", size))],
  ["blanks between two tuples", (size) => line(`8,40${repeated(" \n", size)}9,40`)],
  ["coordinates of no zone", (size) => `<Placemark><coordinates>${repeated("8,40 ", size)}</coordinates></Placemark>`],
  ["one name", (size) => `<name>${repeated("n", size)}</name><Placemark>${POINT}</Placemark>`],
  ["one name of blanks", (size) => `<name>n${repeated(" ", size)}n</name><Placemark>${POINT}</Placemark>`],
  [
    "a long name over many placemarks",
    (size) => `<name>${"n".repeat(size / 2)}</name>${repeated(`<Placemark>${POINT}</Placemark>`, size / 2)}`,
  ],
  ["placemarks with names", (size) => repeated(`<Placemark><name>Here</name>${POINT}</Placemark>`, size)],
  ["placemarks of nothing", (size) => repeated("<Placemark/>", size)],
  ["folders in folders", (size) => nested("<Folder>", "</Folder>", size)],
  ["folders in folders, each with a name and a placemark", (size) => nested(folder("deep down"), "</Folder>", size)],
  [
    "placemarks at the bottom of many folders",
    (size) => `${"<Folder>".repeat(900)}${repeated(folder("x"), size, "</Folder>")}${"</Folder>".repeat(900)}`,
  ],
  ["one placemark of many figures", (size) => `<Placemark>${repeated(POINT, size)}</Placemark>`],
  ["attributes of one element", (size) => `<a ${numbered(size)}/>`],
  ["elements with attributes", (size) => repeated('<a b="c" d="e"/>', size)],
  ["a comment", (size) => `<!--${repeated("- ", size)}-->`],
  ["a text that nothing reads", (size) => `<description>${repeated("text &amp; more ", size)}</description>`],
  ["CDATA", (size) => `<name><![CDATA[${repeated("x]", size)}]]></name>`],
];

test.each(SHAPES)("%s: four times the bytes take some four times as long, not sixteen", LONG, (_, made) => {
  const times = [1, 4, 16].map((mebibytes) => timeOf(documentOf(made(mebibytes * MIB - 100))));
  const [small = 0, medium = 0, large = 0] = times.map((ms) => Math.max(ms, NOISE_MS));
  expect(medium / small, `${times}`).toBeLessThan(4 * SLACK);
  expect(large / medium, `${times}`).toBeLessThan(4 * SLACK);
});

test("an archive takes as long as what is in it, whatever else is", LONG, () => {
  const text = documentOf(line(repeated("8,40,0,", 8 * MIB).slice(0, -1)));
  const filler = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`${index}.kml`, new Uint8Array(9)]));
  for (const packed of [{ "doc.kml": text }, { ...filler, "doc.kml": text }, filler]) {
    const [one, all] = [zipSync({ "doc.kml": text }, { level: 0 }), zipSync(packed, { level: 0 })];
    const [plain, archived] = [timeOf(one), timeOf(all)].map((ms) => Math.max(ms, NOISE_MS));
    expect((archived ?? 0) / (plain ?? 1)).toBeLessThan(4 * SLACK);
  }
});

/** Milliseconds until it is read or refused, the faster of two attempts. */
function timeOf(bytes: Uint8Array) {
  const attempts = [1, 2].map(() => {
    const start = performance.now();
    try {
      zonesOfKml(textOfFile(bytes), 150);
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown;
    }
    return performance.now() - start;
  });
  return Math.min(...attempts);
}

function documentOf(inner: string) {
  return new TextEncoder().encode(HEAD + inner + TAIL);
}

function repeated(part: string, size: number, end = "") {
  return (part + end).repeat(Math.max(1, Math.floor(size / (part.length + end.length))));
}

function nested(open: string, close: string, size: number) {
  const levels = Math.floor(size / (open.length + close.length));
  return open.repeat(levels) + close.repeat(levels);
}

function numbered(size: number) {
  return Array.from({ length: Math.floor(size / 12) }, (_, index) => `a${index}=""`).join(" ");
}

/** Below this a measurement says nothing. */
const NOISE_MS = 40;
/** Other work on the machine, and the runtime's own. */
const SLACK = 3;
