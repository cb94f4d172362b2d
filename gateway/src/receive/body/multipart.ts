import { Busboy } from "@fastify/busboy";
import { ApiError } from "#shared/error/api-error.ts";
import type { FilePart } from "#shared/operation/declaration.ts";
import type { BodyCaller } from "./body-caller.ts";
import { announcedBytes, GrowingBuffer, INITIAL_BUFFER_BYTES, streamBody } from "./bytes.ts";

/**
 * The fields and files of a multipart form by name; of equal names the last one counts. The field `hash` identifies the
 * caller, and should come before files: a caller that is unknown after `MAX_STRANGER_BYTES` is refused (3 or 4).
 */
export async function readMultipart(
  request: Request,
  limit: number,
  caller: BodyCaller,
): Promise<Record<string, unknown>> {
  const parser = createParser(request);
  // The first file gets an array of the body's length, because it usually makes up most of the body.
  let expectedBytes = caller.isKnown ? announcedBytes(request) : Number.NaN;
  let partCount = 0;
  const parts: Record<string, unknown> = {};
  const finished = new Promise<void>((resolve, reject) => parser.on("finish", resolve).on("error", reject));
  // Prevents an unhandled rejection; the `await` below still throws.
  finished.catch(() => undefined);
  parser.on("field", (name, value) => {
    partCount++;
    parts[name] = value;
  });
  parser.on("file", (name, stream, filename, _encoding, type) => {
    partCount++;
    const content = new GrowingBuffer(Number.isNaN(expectedBytes) ? INITIAL_BUFFER_BYTES : expectedBytes, limit);
    expectedBytes = INITIAL_BUFFER_BYTES;
    // A truncated form also fails the streams of its files; `finished` reports the error.
    stream.on("error", () => undefined);
    stream.on("data", (piece: Buffer) => content.add(piece));
    stream.on("end", () => {
      parts[name] = { name: filename ?? "", type, bytes: content.bytes() } satisfies FilePart;
    });
  });
  let size = 0;
  await streamBody(request, limit, caller.sender, async (piece, memory) => {
    parser.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    if (caller.isKnown) return;
    if (parts.hash !== undefined) {
      await caller.admit(parts.hash);
      memory.assign(caller.sender);
    }
    size += piece.byteLength;
    if (size > MAX_STRANGER_BYTES || partCount > MAX_STRANGER_PARTS) caller.requireKnown();
  });
  parser.end();
  await finished.catch((cause) => {
    throw new ApiError(5, {}, { cause });
  });
  return parts;
}

function createParser({ headers }: Request) {
  try {
    const type = { "content-type": headers.get("Content-Type") ?? "" };
    return new Busboy({ headers: type, limits: LIMITS });
  } catch (cause) {
    throw new ApiError(5, {}, { cause });
  }
}

const LIMITS = { fields: 1000, fieldSize: 4 * 1024 * 1024, files: 10, parts: 1000, headerPairs: 100 };
/** The limits of a form without a valid hash. */
const MAX_STRANGER_BYTES = 1024 * 1024;
const MAX_STRANGER_PARTS = 60;
