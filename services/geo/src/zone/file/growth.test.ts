import { zipSync } from "fflate";
import { expect, test } from "vitest";
import { isApiError } from "#shared/error/api-error.ts";
import { zonesOfKml } from "./read-kml.ts";
import { textOfFile } from "./text-of-file.ts";

const KIB = 1024;
const [HEAD, TAIL] = ["<kml><Document>", "</Document></kml>"];
const POINT = "<Point><coordinates>8,40</coordinates></Point>";
const line = (coordinates: string) =>
  `<Placemark><LineString><coordinates>${coordinates}</coordinates></LineString></Placemark>`;
const folder = (name: string) => `<Folder><name>${name}</name><Placemark>${POINT}</Placemark>`;

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

test.each(SHAPES)("zonesOfKml takes at most five times the steps for four times the bytes of %s", (_, made) => {
  const [small, medium, large] = [256, 1024, 4096].map((kibibytes) =>
    countSteps(documentOf(made(kibibytes * KIB - 100))),
  ) as [number, number, number];
  expect(small).toBeGreaterThan(0);
  expect(medium / small).toBeLessThan(MOST_GROWTH);
  expect(large / medium).toBeLessThan(MOST_GROWTH);
});

test("textOfFile visits each byte of an archive once, and of its documents twice, however many files there are", () => {
  const text = documentOf(line(repeated("8,40,0,", 1024 * KIB).slice(0, -1)));
  const filler = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`${index}.kml`, new Uint8Array(9)]));
  const plain = countSteps(text);
  for (const packed of [{ "doc.kml": text }, { ...filler, "doc.kml": text }]) {
    const archive = zipSync(packed, { level: 0 });
    const unpacked = Object.values(packed).reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(countSteps(archive)).toBe(plain + archive.byteLength + unpacked);
  }
});

/** Steps until a file is read or refused. */
function countSteps(bytes: Uint8Array) {
  let sum = 0;
  const count = (steps: number) => {
    sum += steps;
  };
  try {
    zonesOfKml(textOfFile(bytes, count), 150, count);
  } catch (thrown) {
    if (!isApiError(thrown)) throw thrown;
  }
  return sum;
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

/** More than four: texts are joined until they have 128 KiB, so that small documents take fewer steps for each byte. */
const MOST_GROWTH = 5;
