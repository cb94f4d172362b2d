import { imageSize } from "image-size";
import type { PreviewState } from "#shared/contract/file/file-object.ts";
import type { DecodableType } from "./codec.ts";
import type { Size } from "./pixels.ts";

/** Size and orientation from an image's header. Without `type` it cannot be decoded, and `state` says why. */
export type ImageInspection = { orientation?: number } & (
  | (Size & { type: DecodableType })
  | { type?: undefined; state: PreviewState }
);

/** Reads only the header, so that images that would need too much memory are never decoded. */
export function inspectImage(content: Uint8Array, mime_type: string): ImageInspection {
  const { width, height, orientation } = readHead(content);
  const rotation = isOrientation(orientation) ? { orientation } : {};
  const type = TYPES.get(mime_type);
  if (!type) return { state: "unsupported", ...rotation };
  if (width < 1 || height < 1) return { state: "unreadable", ...rotation };
  if (width * height > MAX_PIXELS[type]) return { state: "too_large", ...rotation };
  if (type === "jpeg" && !isDecodableJpeg(content)) return { state: "too_large", ...rotation };
  return { type, width, height, ...rotation };
}

/** The EXIF orientation of an image, 1 to 8, from its first bytes; undefined without one. */
export function readOrientation(beginning: Uint8Array): number | undefined {
  const { orientation } = readHead(beginning);
  return isOrientation(orientation) ? orientation : undefined;
}

function isOrientation(value: number | undefined): value is number {
  return value !== undefined && value >= 1 && value <= 8;
}

function readHead(content: Uint8Array): Size & { orientation?: number } {
  try {
    return imageSize(content);
  } catch {
    return { width: 0, height: 0 };
  }
}

/**
 * True if a JPEG is not too expensive to decode. A progressive one needs two bytes for each coefficient, regardless of
 * scaling, and each of its scans takes time for the whole image.
 */
function isDecodableJpeg(content: Uint8Array): boolean {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  let scans = 0;
  for (let at = bytes.indexOf(SCAN); at !== -1 && scans <= MAX_SCANS; at = bytes.indexOf(SCAN, at + 2)) scans++;
  return scans <= MAX_SCANS && countCoefficients(bytes) * 2 <= MAX_COEFFICIENT_BYTES;
}

/** The coefficients of a progressive JPEG; 0 for other JPEGs, infinite if no frame is found. */
function countCoefficients(bytes: Buffer): number {
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (bytes[at] !== 0xff) break;
    // Any number of 0xff may precede a marker.
    while (bytes[at + 1] === 0xff && at + 10 < bytes.length) at++;
    const marker = bytes[at + 1] ?? 0;
    if (marker === PROGRESSIVE) return countFrameCoefficients(bytes.subarray(at + 5));
    if (OTHER_FRAMES.includes(marker)) return 0;
  }
  return Number.POSITIVE_INFINITY;
}

/** The coefficients of a frame, whose bytes begin with its height: each component is sampled at its own rate. */
function countFrameCoefficients(frame: Buffer): number {
  const pixels = frame.readUInt16BE(0) * frame.readUInt16BE(2);
  const samplings = Array.from({ length: frame[4] ?? 0 }, (_, index) => frame[6 + index * 3] ?? 0x11);
  const [across, down] = [samplings.map((sampling) => sampling >> 4), samplings.map((sampling) => sampling & 15)];
  const whole = Math.max(1, ...across) * Math.max(1, ...down);
  return samplings.reduce((sum, _, index) => sum + (pixels * (across[index] ?? 1) * (down[index] ?? 1)) / whole, 0);
}

const TYPES = new Map<string, DecodableType>([
  ["image/jpeg", "jpeg"],
  ["image/png", "png"],
  ["image/gif", "gif"],
  ["image/webp", "webp"],
]);
/** Pixels that fit into an isolate's memory: 4 bytes each, 8 for WebP. JPEGs are scaled while they are decoded. */
const MAX_PIXELS: Record<DecodableType, number> = { jpeg: 100e6, png: 14e6, gif: 14e6, webp: 7e6 };
/** Memory for coefficients; enough for 21 megapixels as cameras sample them. */
const MAX_COEFFICIENT_BYTES = 64 * 1024 * 1024;
const SCAN = Buffer.from([0xff, 0xda]);
/** Programs usually write about ten. */
const MAX_SCANS = 64;
const PROGRESSIVE = 0xc2;
/** Markers of all other frames, which are decoded block by block or not at all. */
const OTHER_FRAMES = [0xc0, 0xc1, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];
