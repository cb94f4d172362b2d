import { readFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { CODECS, turnedPhoto } from "#test/tool/document/pictures.ts";
import { decode } from "./codec.ts";
import type { Pixels } from "./pixels.ts";
import { renderPreviews } from "./preview.ts";

const fixture = (path: string) => readFileSync(`test/fixtures/${path}`);
const jpegOf = (content: Uint8Array) => decode("jpeg", content, CODECS, { width: 10_000, height: 10_000 });

async function shownOf(content: Uint8Array, mime_type = "image/jpeg") {
  const { previews, ...result } = await renderPreviews(content, mime_type, CODECS);
  const [large, small] = await Promise.all(previews.map((preview) => jpegOf(preview.content)));
  if (!large || !small) throw new Error(`There are no previews: ${result.state}.`);
  return { ...result, large, small, previews };
}

/** The mean difference of two images, 0 to 255. `from` maps each pixel to its counterpart. */
function apart(one: Pixels, other: Pixels, from: (x: number, y: number) => [number, number] = (x, y) => [x, y]) {
  let sum = 0;
  for (let y = 0; y < one.height; y++) {
    for (let x = 0; x < one.width; x++) {
      const [column, row] = from(x, y);
      for (let channel = 0; channel < 3; channel++) {
        const [mine, theirs] = [(y * one.width + x) * 3 + channel, (row * other.width + column) * 3 + channel];
        sum += Math.abs((one.data[mine] ?? 0) - (other.data[theirs] ?? 0));
      }
    }
  }
  return sum / (one.width * one.height * 3);
}

/** Many pictures are compared with these two. */
const straightLandscape = shownOf(fixture("exif/Landscape_1.jpg"));
const unturnedPhoto = shownOf(turnedPhoto(1));

test("renderPreviews makes one picture of 800 and one of 200 pixels from a photograph", async () => {
  const { state, orientation, large, small } = await straightLandscape;
  expect({ state, orientation }).toEqual({ state: "made", orientation: 1 });
  expect([large.width, large.height, small.width, small.height]).toEqual([800, 533, 200, 133]);
});

test.each([3, 6, 8])("the preview of a photograph taken with orientation %i is upright", async (orientation) => {
  const straight = await straightLandscape;
  const turned = await shownOf(fixture(`exif/Landscape_${orientation}.jpg`));
  expect(turned.orientation).toBe(orientation);
  expect([turned.large.width, turned.large.height]).toEqual([800, 533]);
  expect(apart(turned.large, straight.large)).toBeLessThan(4);
  expect(apart(turned.small, straight.small)).toBeLessThan(4);
});

test("the preview of a photograph taken in portrait is upright", async () => {
  const { orientation, large } = await shownOf(fixture("exif/Portrait_5.jpg"));
  expect([orientation, large.width, large.height]).toEqual([5, 533, 800]);
});

test.each<[number, (x: number, y: number, right: number, bottom: number) => [number, number]]>([
  [1, (x, y) => [x, y]],
  [2, (x, y, right) => [right - x, y]],
  [3, (x, y, right, bottom) => [right - x, bottom - y]],
  [4, (x, y, _, bottom) => [x, bottom - y]],
  [5, (x, y) => [y, x]],
  [6, (x, y, _, bottom) => [y, bottom - x]],
  [7, (x, y, right, bottom) => [right - y, bottom - x]],
  [8, (x, y, right) => [right - y, x]],
])("the preview of orientation %i is turned and mirrored as EXIF says", async (orientation, from) => {
  const { large: stored } = await unturnedPhoto;
  const { large, ...result } = await shownOf(turnedPhoto(orientation));
  expect(result.orientation).toBe(orientation);
  expect([large.width, large.height]).toEqual(orientation < 5 ? [800, 533] : [533, 800]);
  expect(apart(large, stored, (x, y) => from(x, y, stored.width - 1, stored.height - 1))).toBeLessThan(4);
});

test("a preview has none of the metadata that a camera writes", async () => {
  const content = turnedPhoto(6);
  expect(content.includes("Exif")).toBe(true);
  const { previews } = await shownOf(content);
  for (const { content } of previews) {
    const markers = [
      ...Buffer.from(content)
        .toString("latin1")
        .matchAll(/\xff([\xe1-\xef\xfe])/g),
    ];
    expect([Buffer.from(content).includes("Exif"), markers]).toEqual([false, []]);
  }
});

test("a preview shows transparent pixels as white, and leaves a small picture at its size", async () => {
  const pixels = [
    [255, 0, 0, 255],
    [0, 0, 0, 0],
  ].flatMap((pixel) => Array.from({ length: 16 * 8 }, () => pixel));
  const { state, large, small } = await shownOf(pngOf(8, 32, pixels.flat()), "image/png");
  expect([state, large.width, large.height, small.width, small.height]).toEqual(["made", 8, 32, 8, 32]);
  const at = (x: number, y: number) => [...large.data.subarray((y * 8 + x) * 3, (y * 8 + x) * 3 + 3)];
  for (const [index, value] of [254, 0, 0].entries())
    expect(Math.abs((at(4, 4)[index] ?? -99) - value)).toBeLessThan(4);
  for (const value of at(4, 28)) expect(value).toBeGreaterThan(250);
});

test.each([
  ["image/gif", "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"],
  ["image/webp", "UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA="],
])("renderPreviews decodes %s", async (mime_type, content) => {
  const { state, large } = await shownOf(Buffer.from(content, "base64"), mime_type);
  expect([state, large.width, large.height]).toEqual(["made", 1, 1]);
});

test("renderPreviews decodes a progressive JPEG, and refuses one that would take too much memory", async () => {
  const progressive = fixture("images/progressive.jpg");
  expect((await shownOf(progressive)).state).toBe("made");
  const frame = progressive.indexOf(Buffer.from([0xff, 0xc2]));
  const ofSize = (width: number, height: number) => {
    const changed = Buffer.from(progressive);
    changed.writeUInt16BE(height, frame + 5);
    changed.writeUInt16BE(width, frame + 7);
    return changed;
  };
  const stateOf = async (content: Uint8Array) => (await renderPreviews(content, "image/jpeg", CODECS)).state;
  expect(await stateOf(ofSize(6000, 4000))).toBe("too_large");
  // The frame's marker may begin with any number of fill bytes.
  const shifted = ofSize(6000, 4000);
  const padded = Buffer.concat([shifted.subarray(0, frame), Buffer.from([0xff, 0xff]), shifted.subarray(frame)]);
  expect(await stateOf(padded)).not.toBe("made");
  const scan = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0]);
  expect(await stateOf(Buffer.concat([progressive, ...Array.from({ length: 64 }, () => scan)]))).toBe("too_large");
});

test("renderPreviews refuses a picture that declares more than a hundred megapixels, whatever it has", async () => {
  const photo = turnedPhoto(1);
  const frame = photo.indexOf(Buffer.from([0xff, 0xc0, 0, 17, 8]));
  photo.writeUInt16BE(20_001, frame + 5);
  photo.writeUInt16BE(5_000, frame + 7);
  expect(await renderPreviews(photo, "image/jpeg", CODECS)).toEqual({
    state: "too_large",
    orientation: 1,
    previews: [],
  });
  const bomb = pngOf(1, 1, [0, 0, 0, 0]);
  bomb.writeUInt32BE(60_000, 16);
  bomb.writeUInt32BE(60_000, 20);
  expect((await renderPreviews(bomb, "image/png", CODECS)).state).toBe("too_large");
});

test("renderPreviews makes no preview of a broken picture, and says so of a kind that it does not decode", async () => {
  const broken: [string, Uint8Array][] = [
    ["image/jpeg", turnedPhoto(1).subarray(0, 3)],
    ["image/png", Buffer.concat([pngOf(8, 8, []).subarray(0, 40), Buffer.from("rubbish")])],
    ["image/gif", Buffer.from("GIF89a")],
    ["image/gif", Buffer.from("GIF89a\x01\x00\x01\x00\x00\x00\x00;", "latin1")],
    ["image/webp", Buffer.from("RIFF....WEBPVP8 ")],
  ];
  for (const [mime_type, content] of broken) {
    // The array is a view of a larger buffer, whose beginning must not be read as the header.
    expect([mime_type, await renderPreviews(new Uint8Array(content), mime_type, CODECS)]).toEqual([
      mime_type,
      { state: "unreadable", orientation: undefined, previews: [] },
    ]);
  }
  const { state } = await renderPreviews(heic(), "image/heic", CODECS);
  expect(state).toBe("unsupported");
});

function heic() {
  return Buffer.from("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", "latin1");
}

/** A PNG of pixels that are given as red, green, blue and alpha. */
function pngOf(width: number, height: number, pixels: number[]): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, (_, row) => [0, ...pixels.slice(row * width * 4, (row + 1) * width * 4)]);
  const chunk = (type: string, content: Uint8Array) => {
    const named = Buffer.concat([Buffer.from(type), content]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(content.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const data = deflateSync(Buffer.from(rows.flat()));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
