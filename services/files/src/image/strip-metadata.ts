import type { Codecs } from "./codec.ts";
import { renderPreviews, SIDES } from "./preview.ts";

/**
 * An image without metadata, of the same type, for everybody to see. A JPEG is turned upright and scaled to the larger
 * preview if it can be decoded; other images keep their pixels.
 */
export async function toAvatar(content: Uint8Array, mime_type: string, codecs: Codecs): Promise<Uint8Array> {
  if (mime_type !== "image/jpeg") return stripMetadata(content, mime_type);
  const [preview] = (await renderPreviews(content, mime_type, codecs, [SIDES[0]])).previews;
  return preview?.content ?? stripMetadata(content, mime_type);
}

/**
 * Removes metadata, such as place, camera, time, comments and thumbnails, without changing a pixel. A broken image is cut
 * where it breaks.
 */
export function stripMetadata(content: Uint8Array, mime_type: string): Uint8Array {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return Buffer.concat([...(PART_READERS.get(mime_type)?.(bytes) ?? [])]);
}

/** JPEG (ISO 10918): segments with a marker and a length; those that begin a scan are followed by its data. */
function* partsOfJpeg(bytes: Buffer): Generator<Buffer> {
  let at = 2;
  yield bytes.subarray(0, at);
  while (bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      // Any number of 0xff may precede a marker.
      at++;
      continue;
    }
    if (marker === END_OF_JPEG || at + 4 > bytes.length || marker < FIRST_SEGMENT) break;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    const next = marker === SCAN ? findScanEnd(bytes, end) : end;
    if (isVisualSegment(marker, bytes.subarray(at + 4, end))) yield bytes.subarray(at, next);
    at = next;
  }
  yield Buffer.from([0xff, END_OF_JPEG]);
}

/** True for segments that affect the picture: of those for applications, only the ones about colours. */
function isVisualSegment(marker: number, data: Buffer): boolean {
  if (marker === 0xe2) return data.toString("latin1", 0, 11) === "ICC_PROFILE";
  if (marker === 0xee) return data.toString("latin1", 0, 5) === "Adobe";
  if (marker === 0xe0) return data.toString("latin1", 0, 5) === "JFIF\0" && data[12] === 0 && data[13] === 0;
  return marker < 0xe0;
}

/** The index of the next marker that is neither escaped data nor a restart marker. */
function findScanEnd(bytes: Buffer, start: number): number {
  let at = bytes.indexOf(0xff, start);
  while (at !== -1) {
    const marker = bytes[at + 1] ?? 0;
    if (marker !== 0 && marker !== 0xff && (marker < 0xd0 || marker > 0xd7)) return at;
    at = bytes.indexOf(0xff, at + 1);
  }
  return bytes.length;
}

/** PNG (ISO 15948): chunks with length, name, data and checksum. Names with a capital first letter are critical. */
function* partsOfPng(bytes: Buffer): Generator<Buffer> {
  let at = 8;
  yield bytes.subarray(0, at);
  while (at + 8 <= bytes.length) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const name = bytes.toString("latin1", at + 4, at + 8);
    if (/^[A-Z]/.test(name) || PNG_CHUNKS.has(name)) yield bytes.subarray(at, end);
    if (name === "IEND") return;
    at = end;
  }
}

/** WebP (RIFF): chunks with name, length and data, padded to an even length. */
function* partsOfWebp(bytes: Buffer): Generator<Buffer> {
  const parts: Buffer[] = [];
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString("latin1", at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const part = Buffer.from(bytes.subarray(at, at + 8 + length + (length % 2)));
    // The flags of VP8X say which other chunks follow.
    if (name === "VP8X" && length > 0) part[8] = (part[8] ?? 0) & ~WEBP_METADATA_FLAGS;
    if (WEBP_CHUNKS.has(name)) parts.push(part);
    at += 8 + length + (length % 2);
  }
  const head = Buffer.from(bytes.subarray(0, 12));
  if (head.length === 12)
    head.writeUInt32LE(
      parts.reduce((sum, { length }) => sum + length, 4),
      4,
    );
  yield head;
  yield* parts;
}

/** GIF89a: a header, then images and extensions, both in blocks of up to 255 bytes. */
function* partsOfGif(bytes: Buffer): Generator<Buffer> {
  let at = 13 + colourTableBytes(bytes[10]);
  yield bytes.subarray(0, at);
  for (let start = at; start < bytes.length; start = at) {
    const kind = bytes[start];
    if (kind === GIF_EXTENSION) {
      at = findBlocksEnd(bytes, start + 2);
      const isLoop = GIF_LOOP_EXTENSIONS.has(bytes.toString("latin1", start + 3, start + 14));
      const label = bytes[start + 1];
      if (label === 0xf9 || (label === 0xff && isLoop)) yield bytes.subarray(start, at);
    } else if (kind === GIF_IMAGE) {
      at = findBlocksEnd(bytes, start + 11 + colourTableBytes(bytes[start + 9]));
      yield bytes.subarray(start, at);
    } else break;
  }
  yield Buffer.from([GIF_END]);
}

function findBlocksEnd(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0);
  return at + 1;
}

/** The length of a colour table in bytes, by the flags in front of it. */
function colourTableBytes(flags = 0): number {
  return flags & 0x80 ? 3 << ((flags & 7) + 1) : 0;
}

const PART_READERS = new Map([
  ["image/jpeg", partsOfJpeg],
  ["image/png", partsOfPng],
  ["image/gif", partsOfGif],
  ["image/webp", partsOfWebp],
]);
const [SCAN, END_OF_JPEG, FIRST_SEGMENT] = [0xda, 0xd9, 0xc0];
/** Ancillary chunks that affect the picture, those of animations included. */
const PNG_CHUNKS = new Set("tRNS gAMA cHRM sRGB iCCP cICP sBIT bKGD pHYs acTL fcTL fdAT".split(" "));
const WEBP_CHUNKS = new Set(["VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP"]);
/** The flags of EXIF and XMP. */
const WEBP_METADATA_FLAGS = 0b1100;
const [GIF_EXTENSION, GIF_IMAGE, GIF_END] = [0x21, 0x2c, 0x3b];
/** Extensions that say how often an animation repeats. */
const GIF_LOOP_EXTENSIONS = new Set(["NETSCAPE2.0", "ANIMEXTS1.0"]);
