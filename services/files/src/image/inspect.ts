import { imageSize } from "image-size";
import type { PreviewState } from "#shared/contract/file-object.ts";
import type { DecodableType } from "./codec.ts";
import type { Size } from "./pixels.ts";

/** What the head of a picture says of it. `type` is there where it can be decoded, else `state` says why it cannot. */
export type ImageInspection = { orientation?: number } & (
  | (Size & { type: DecodableType })
  | { type?: undefined; state: PreviewState }
);

/** Decodes nothing, so that what would be too much never is. */
export function inspectImage(content: Uint8Array, mime_type: string): ImageInspection {
  const { width, height, orientation } = readHead(content);
  const turned = orientation && orientation >= 1 && orientation <= 8 ? { orientation } : {};
  const type = TYPES.get(mime_type);
  if (!type) return { state: "unsupported", ...turned };
  if (width < 1 || height < 1) return { state: "unreadable", ...turned };
  if (width * height > MAX_PIXELS[type]) return { state: "too_large", ...turned };
  if (type === "jpeg" && !isDecodableJpeg(content)) return { state: "too_large", ...turned };
  return { type, width, height, ...turned };
}

function readHead(content: Uint8Array): Size & { orientation?: number } {
  try {
    return imageSize(content);
  } catch {
    return { width: 0, height: 0 };
  }
}

/**
 * A progressive JPEG is decoded whole, two bytes for each of its coefficients, however small it is to become; and each of its
 * scans goes over all of it.
 */
function isDecodableJpeg(content: Uint8Array): boolean {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  let scans = 0;
  for (let at = bytes.indexOf(SCAN); at !== -1 && scans <= MAX_SCANS; at = bytes.indexOf(SCAN, at + 2)) scans++;
  return scans <= MAX_SCANS && countCoefficients(bytes) * 2 <= MAX_COEFFICIENT_BYTES;
}

/** Of a progressive frame; without end where no frame is found, as what cannot be read may be anything. */
function countCoefficients(bytes: Buffer): number {
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (bytes[at] !== 0xff) break;
    // Markers may stand behind any number of these.
    while (bytes[at + 1] === 0xff && at + 10 < bytes.length) at++;
    const marker = bytes[at + 1] ?? 0;
    if (marker === PROGRESSIVE) return countFrameCoefficients(bytes.subarray(at + 5));
    if (OTHER_FRAMES.includes(marker)) return 0;
  }
  return Number.POSITIVE_INFINITY;
}

/** Of a frame from its height on: each component has its share of the pixels. */
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
/** What an isolate has room for, of what is decoded whole: four bytes a pixel, of a WebP twice. */
const MAX_PIXELS: Record<DecodableType, number> = { jpeg: 100e6, png: 14e6, gif: 14e6, webp: 7e6 };
/** For coefficients: a picture of 21 megapixels as cameras write them. */
const MAX_COEFFICIENT_BYTES = 64 * 1024 * 1024;
const SCAN = Buffer.from([0xff, 0xda]);
/** Programs write some ten. */
const MAX_SCANS = 64;
const PROGRESSIVE = 0xc2;
/** The others: what they begin is decoded block after block, or not at all. */
const OTHER_FRAMES = [0xc0, 0xc1, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];
