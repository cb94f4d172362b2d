import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { CODECS, turnedPhoto } from "#test/tool/document/pictures.ts";
import { PNG } from "#test/tool/document/png.ts";
import { decode } from "./codec.ts";
import { inspectImage } from "./inspect.ts";
import { stripMetadata, toAvatar } from "./strip-metadata.ts";

const WHOLE = { width: 10_000, height: 10_000 };
const SECRET = "GPS 52.5 13.4 of Ann's phone";

/** Inserts segments behind a JPEG's start marker. */
function withSegments(jpeg: Buffer, ...segments: [marker: number, data: string][]) {
  const written = segments.map(([marker, data]) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(data.length + 2, 2);
    return Buffer.concat([head, Buffer.from(data, "latin1")]);
  });
  return Buffer.concat([jpeg.subarray(0, 2), ...written, jpeg.subarray(2)]);
}

function pngChunk(name: string, data: string) {
  const named = Buffer.from(name + data, "latin1");
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

function webpChunk(name: string, data: Buffer) {
  const head = Buffer.from(`${name}\0\0\0\0`, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

function webpOf(...chunks: Buffer[]) {
  const content = Buffer.concat([Buffer.from("RIFF\0\0\0\0WEBP"), ...chunks]);
  content.writeUInt32LE(content.length - 8, 4);
  return content;
}

test.each([1, 3, 6, 8])(
  "toAvatar turns a photograph of orientation %i upright, makes it 800 pixels and drops metadata",
  async (orientation) => {
    const stored = await toAvatar(turnedPhoto(orientation), "image/jpeg", CODECS);
    expect(Buffer.from(stored).includes("Exif")).toBe(false);
    const [width, height] = orientation < 5 ? [800, 533] : [533, 800];
    expect(inspectImage(stored, "image/jpeg")).toEqual({ type: "jpeg", width, height });
  },
);

test("a stored JPEG loses its metadata and keeps every pixel and its colour profile", async () => {
  const photo = readFileSync("test/fixtures/images/progressive.jpg");
  const profile = "ICC_PROFILE\0\x01\x01 colours";
  const beside: [number, string][] = [
    [0xe0, `JFXX\0\x10${SECRET}`],
    [0xe1, `Exif\0\0${SECRET}`],
    [0xe1, `http://ns.adobe.com/xap/1.0/\0${SECRET}`],
    [0xe2, profile],
    [0xe2, `MPF\0${SECRET}`],
    [0xed, `Photoshop 3.0\0${SECRET}`],
    [0xfe, SECRET],
  ];
  const content = Buffer.concat([withSegments(photo, ...beside), Buffer.from(SECRET)]);
  const plain = stripMetadata(content, "image/jpeg");
  expect([Buffer.from(plain).includes("Ann"), Buffer.from(plain).includes(profile)]).toEqual([false, true]);
  expect((await decode("jpeg", plain, CODECS, WHOLE)).data).toEqual((await decode("jpeg", photo, CODECS, WHOLE)).data);
});

test("a JPEG that is cut off or no picture at all is stored without the metadata that could be found", () => {
  const photo = withSegments(turnedPhoto(6), [0xe1, `Exif\0\0${SECRET}`]);
  for (const length of [3, 4, 5, 20, 2000, photo.length - 1000]) {
    const plain = Buffer.from(stripMetadata(photo.subarray(0, length), "image/jpeg"));
    expect([plain.includes("Ann"), plain.includes("Exif")]).toEqual([false, false]);
    expect(plain.subarray(0, 2)).toEqual(photo.subarray(0, 2));
  }
  expect(Buffer.from(stripMetadata(Buffer.from("\xff\xd8\xff and so on", "latin1"), "image/jpeg"))).toEqual(
    Buffer.from([0xff, 0xd8, 0xff, 0xd9]),
  );
});

test("a stored PNG keeps its picture, its colours and its animation, and loses its metadata", async () => {
  const colours = [pngChunk("gAMA", "\0\0\xb1\x8f"), pngChunk("acTL", "\0\0\0\x01\0\0\0\0")];
  const beside = [
    pngChunk("eXIf", SECRET),
    pngChunk("tEXt", SECRET),
    pngChunk("iTXt", SECRET),
    pngChunk("tIME", "1234567"),
  ];
  const head = PNG.subarray(0, 33);
  const content = Buffer.concat([head, ...beside, ...colours, PNG.subarray(33), Buffer.from(SECRET)]);
  const plain = await toAvatar(content, "image/png", CODECS);
  expect(Buffer.from(plain)).toEqual(Buffer.concat([head, ...colours, PNG.subarray(33)]));
});

test("a stored WebP keeps its picture, and its header no longer announces metadata", async () => {
  const picture = Buffer.from("UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=", "base64").subarray(12);
  const headerOf = (flags: number) => webpChunk("VP8X", Buffer.from([flags, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
  const beside = [webpChunk("EXIF", Buffer.from(SECRET)), webpChunk("XMP ", Buffer.from(`${SECRET}!`))];
  const content = webpOf(headerOf(0b101100), picture, ...beside);
  const plain = await toAvatar(content, "image/webp", CODECS);
  expect(Buffer.from(plain)).toEqual(webpOf(headerOf(0b100000), picture));
  expect(await decode("webp", plain, CODECS, WHOLE)).toMatchObject({ width: 1, height: 1 });
});

test("a stored GIF keeps its pictures and their order, and loses its metadata", async () => {
  const [head, image] = [
    Buffer.from("R0lGODlhAQABAIAAAAAAAP///w==", "base64"),
    Buffer.from("LAAAAAABAAEAAAIBRAA=", "base64"),
  ];
  const [control, loop] = [
    Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0]),
    Buffer.from("\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", "latin1"),
  ];
  const remark = Buffer.from(`\x21\xfe${String.fromCharCode(SECRET.length)}${SECRET}\0`, "latin1");
  const xmp = Buffer.from(`\x21\xff\x0bXMP DataXMP${String.fromCharCode(SECRET.length)}${SECRET}\0`, "latin1");
  const end = Buffer.from([0x3b]);
  const content = Buffer.concat([head, loop, remark, control, image, xmp, control, image, end, Buffer.from(SECRET)]);
  const plain = await toAvatar(content, "image/gif", CODECS);
  expect(Buffer.from(plain)).toEqual(Buffer.concat([head, loop, control, image, control, image, end]));
  expect(await decode("gif", plain, CODECS, WHOLE)).toMatchObject({ width: 1, height: 1 });
});
