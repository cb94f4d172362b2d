import { Unzip, UnzipInflate } from "fflate";
import { ApiError } from "#shared/error/api-error.ts";
import { tooLargeFileError } from "#shared/error/too-large-file.ts";
import { type CountSteps, ignoreSteps } from "./count-steps.ts";

/** The text of a KML document, or of the document in a KMZ archive (OGC KML 2.3), in pieces. */
export function* decodeKmlFile(bytes: Uint8Array, count: CountSteps = ignoreSteps): Generator<string> {
  const document = isZip(bytes) ? unpackKml(bytes, count) : bytes;
  if (document.byteLength === 0) throw new ApiError(234);
  const decoder = decoderOf(document);
  for (let start = 0; start < document.byteLength; start += BYTES_PER_PIECE) {
    const piece = document.subarray(start, start + BYTES_PER_PIECE);
    count(piece.byteLength);
    yield decodeOrThrow(() => decoder.decode(piece, { stream: true }));
  }
  yield decodeOrThrow(() => decoder.decode());
}

/** The text of a GeoJSON document, which is UTF-8 (RFC 8259, 8.1); undefined for any other file. */
export function decodeGeoJsonFile(bytes: Uint8Array): string | undefined {
  const start = bytes.findIndex((byte) => !BLANKS.has(byte));
  if (bytes[start] !== BRACE) return undefined;
  if (bytes.byteLength > MAX_GEOJSON_BYTES) throw new ApiError(271);
  return decodeOrThrow(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
}

/** The bytes of `doc.kml`, or else of the first KML file in the archive. Sizes in its headers are not trusted. */
function unpackKml(bytes: Uint8Array, count: CountSteps): Uint8Array {
  const kmlFiles = new Map<string, Uint8Array[]>();
  let size = 0;
  const unzip = new Unzip((file) => {
    if (!/\.kml$/i.test(file.name)) return;
    const chunks: Uint8Array[] = [];
    kmlFiles.set(file.name, chunks);
    file.ondata = (error, chunk) => {
      if (error) throw error;
      size += chunk.byteLength;
      count(chunk.byteLength);
      if (size > MAX_UNPACKED_BYTES) throw tooLargeFileError(`${MAX_UNPACKED_BYTES} bytes when unpacked`);
      chunks.push(chunk);
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    // In small pieces: a piece may unpack to a thousand times its size before the limit is checked.
    for (let start = 0; start < bytes.byteLength; start += ZIPPED_BYTES_PER_PIECE) {
      const piece = bytes.subarray(start, start + ZIPPED_BYTES_PER_PIECE);
      count(piece.byteLength);
      unzip.push(piece, start + ZIPPED_BYTES_PER_PIECE >= bytes.byteLength);
    }
  } catch (thrown) {
    throw thrown instanceof ApiError ? thrown : new ApiError(234);
  }
  const [first] = kmlFiles.values();
  return Buffer.concat(kmlFiles.get("doc.kml") ?? first ?? []);
}

/** A decoder for the encoding that the document declares. */
function decoderOf(document: Uint8Array) {
  const head = new TextDecoder("latin1").decode(document.subarray(0, 200));
  const declared = /^[^<]{0,3}<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1] ?? "utf-8";
  const mark = document[0] === 0xff && document[1] === 0xfe ? "utf-16le" : "utf-16be";
  const isWide = (document[0] === 0xff && document[1] === 0xfe) || (document[0] === 0xfe && document[1] === 0xff);
  return decodeOrThrow(() => new TextDecoder(isWide ? mark : declared, { fatal: true, ignoreBOM: false }));
}

/** Throws 234 for bytes that are invalid in the encoding. */
function decodeOrThrow<T>(decode: () => T): T {
  try {
    return decode();
  } catch {
    throw new ApiError(234);
  }
}

function isZip(bytes: Uint8Array) {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

/** White space, and the byte order mark that some writers begin with. */
const BLANKS = new Set([0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf]);
const BRACE = 0x7b;
/** A GeoJSON document is parsed at once and needs several times its size in memory. */
const MAX_GEOJSON_BYTES = 8 * 1024 * 1024;
const BYTES_PER_PIECE = 32 * 1024;
const ZIPPED_BYTES_PER_PIECE = 4096;
const MAX_UNPACKED_BYTES = 16 * 1024 * 1024;
