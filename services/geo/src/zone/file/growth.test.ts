import { zipSync } from "fflate";
import { expect, test } from "vitest";
import { isApiError } from "#shared/error/api-error.ts";
import { documentOf, line, repeat, SHAPES } from "../../../../../test/tool/document/kml-shapes.ts";
import { effort } from "../../../../../test/tool/effort.ts";
import { decodeKmlFile } from "./decode-file.ts";
import { parseKml } from "./read-kml.ts";

const KIB = 1024;

test.each(SHAPES)("parseKml takes at most five times the steps for four times the bytes of %s", (_, made) => {
  let before = countSteps(documentOf(made(256 * KIB - 100)));
  expect(before).toBeGreaterThan(0);
  for (const kibibytes of effort({ few: [1024], many: [1024, 4096, 16_384] })) {
    const steps = countSteps(documentOf(made(kibibytes * KIB - 100)));
    expect(steps / before).toBeLessThan(MAX_GROWTH);
    before = steps;
  }
});

test("decodeKmlFile visits each byte of an archive once, and of its documents twice, however many files there are", () => {
  const text = documentOf(line(repeat("8,40,0,", 1024 * KIB).slice(0, -1)));
  const filler = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`${index}.kml`, new Uint8Array(9)]));
  const plain = countSteps(text);
  for (const packed of [{ "doc.kml": text }, { ...filler, "doc.kml": text }]) {
    const archive = zipSync(packed, { level: 0 });
    const unpacked = Object.values(packed).reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(countSteps(archive)).toBe(plain + archive.byteLength + unpacked);
  }
});

/** The number of steps until a file is read or refused. */
function countSteps(bytes: Uint8Array) {
  let sum = 0;
  const count = (steps: number) => {
    sum += steps;
  };
  try {
    parseKml(decodeKmlFile(bytes, count), 150, count);
  } catch (thrown) {
    if (!isApiError(thrown)) throw thrown;
  }
  return sum;
}

/** More than four, because texts are joined up to 128 KiB: small documents take fewer steps per byte. */
const MAX_GROWTH = 5;
