import { discardBody, readPieces } from "#shared/body/read-pieces.ts";
import { bodyTimeout } from "#shared/body/timeout.ts";
import { ApiError, isApiError } from "#shared/error/api-error.ts";
import { type BodyMemory, type BodySender, MemoryBudget } from "./memory-budget.ts";

/** Receives a body piece by piece. A sink may keep the pieces: their memory is not used again. */
type Sink = (piece: Uint8Array, memory: BodyMemory) => void | Promise<void>;

/** The length of a body by its `Content-Length`; NaN without that header. */
export function announcedBytes({ headers }: Request): number {
  return Number(headers.get("Content-Length") ?? Number.NaN);
}

/** The whole body in one array; 9 if it is longer than `limit`. */
export async function readBytes(request: Request, limit: number, sender: BodySender): Promise<Uint8Array> {
  const announced = announcedBytes(request);
  // A small body usually arrives in one piece.
  if (announced <= MAX_SINGLE_READ_BYTES) return readAtOnce(request);
  // A stranger must not have memory for bytes that never come.
  const isTrusted = sender.kind === "user" || announced <= MAX_TRUSTED_BYTES;
  if (isTrusted && announced <= limit && request.body) return readAnnounced(request.body, announced, sender);
  const content = new GrowingBuffer(INITIAL_BUFFER_BYTES, limit);
  await streamBody(request, limit, sender, (piece) => content.add(piece));
  return content.bytes();
}

/**
 * Collects pieces in one array, which doubles when it is full, up to `maxBytes`: what crosses to another Worker is the
 * whole array, and at most 32 MB cross.
 */
export class GrowingBuffer {
  #bytes: Uint8Array;
  #size = 0;
  readonly #maxBytes: number;

  constructor(expected: number, maxBytes: number) {
    this.#bytes = new Uint8Array(expected);
    this.#maxBytes = maxBytes;
  }

  add(piece: Uint8Array) {
    const size = this.#size + piece.byteLength;
    if (size > this.#bytes.byteLength) {
      const larger = new Uint8Array(Math.max(size, Math.min(this.#bytes.byteLength * 2, this.#maxBytes)));
      larger.set(this.#bytes.subarray(0, this.#size));
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.#size);
    this.#size = size;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#size);
  }
}

/**
 * Passes the pieces of a body to `sink`, with the memory that counts them. 9: longer than `limit`; 5: it stalls, breaks
 * off or takes too long; 15: too many bytes are being received by this isolate.
 */
export async function streamBody(request: Request, limit: number, sender: BodySender, sink: Sink): Promise<void> {
  if (announcedBytes(request) > limit) {
    await discardUnread(request);
    throw new ApiError(9);
  }
  const memory = BODY_MEMORY.open(sender);
  try {
    for await (const piece of readPieces(request.body, { maxBytes: limit, wholeMs: MAX_BODY_MS })) {
      memory.add(piece.byteLength);
      await sink(piece, memory);
    }
  } catch (thrown) {
    // First: the rest of a refused body may take a minute, and other bodies wait for this memory.
    memory.release();
    if (isApiError(thrown)) await discardBody(request.body, MAX_DISCARDED_BYTES, MAX_BODY_MS);
    throw thrown;
  } finally {
    memory.release();
  }
}

/** Counts a body that was read and stays in memory; 15 if there are too many. */
export function holdBytes(bytes: number, sender: BodySender): BodyMemory {
  const memory = BODY_MEMORY.open(sender);
  memory.add(bytes);
  return memory;
}

/** Reads and drops the body of a refused request, unless something of it was read. */
export async function discardUnread({ body, bodyUsed }: Request): Promise<void> {
  if (!bodyUsed) await discardBody(body, MAX_DISCARDED_BYTES, MAX_BODY_MS);
}

/** Reads a body of known length into one array without copying: the runtime fills the array (a BYOB reader). */
async function readAnnounced(
  body: ReadableStream<Uint8Array>,
  announced: number,
  sender: BodySender,
): Promise<Uint8Array> {
  const memory = BODY_MEMORY.open(sender);
  const { within, end } = bodyTimeout(MAX_BODY_MS);
  try {
    const reader = body.getReader({ mode: "byob" });
    let bytes = new Uint8Array(announced);
    for (let size = 0; size < announced; ) {
      const { done, value } = await within(reader.read(bytes.subarray(size)));
      if (done) return bytes.subarray(0, size);
      memory.add(value.byteLength);
      size += value.byteLength;
      bytes = new Uint8Array(value.buffer);
    }
    return bytes;
  } finally {
    end();
    memory.release();
  }
}

async function readAtOnce(request: Request): Promise<Uint8Array> {
  const { within, end } = bodyTimeout();
  return new Uint8Array(await within(request.arrayBuffer()).finally(end));
}

const MAX_SINGLE_READ_BYTES = 16 * 1024;
const MAX_TRUSTED_BYTES = 256 * 1024;
/** The initial size of the array if the length is unknown. */
export const INITIAL_BUFFER_BYTES = 64 * 1024;
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;
const MAX_BODY_MS = 60_000;
/** Half of the memory of an isolate. */
const BODY_MEMORY = new MemoryBudget(64 * 1024 * 1024);
