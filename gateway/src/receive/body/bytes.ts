import { pieceReader } from "#shared/body/piece-reader.ts";
import { bodyTimeout } from "#shared/body/timeout.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { MemoryBudget } from "./memory-budget.ts";

/** What takes a body in piece by piece; each piece is its to keep, or to forget. */
export type Sink = (piece: Uint8Array) => void;

/** How many bytes a body has as its sender announces it; not a number where it does not. */
export function announcedBytes({ headers }: Request): number {
  return Number(headers.get("Content-Length") ?? Number.NaN);
}

/** The whole body in one piece of memory; 9 above the limit. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const announced = announcedBytes(request);
  // What arrives at once is read at once.
  if (announced <= MAX_SINGLE_READ_BYTES) return readAtOnce(request);
  if (announced <= limit && request.body) return readAnnounced(request.body, announced);
  const content = new GrowingBuffer(INITIAL_BUFFER_BYTES);
  await streamBody(request, limit, (piece) => content.add(piece));
  return content.bytes();
}

/** Bytes that come piece by piece, in one piece of memory: of the right size where that is known. */
export class GrowingBuffer {
  #bytes: Uint8Array;
  #size = 0;

  constructor(expected: number) {
    this.#bytes = new Uint8Array(expected);
  }

  add(piece: Uint8Array) {
    const size = this.#size + piece.byteLength;
    if (size > this.#bytes.byteLength) {
      const larger = new Uint8Array(Math.max(size, this.#bytes.byteLength * 2));
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

/** Hands a body on as it comes; 9 above the limit, 5 where it stalls, breaks off or takes too long, 15 without room for it. */
export async function streamBody(request: Request, limit: number, sink: Sink): Promise<void> {
  const announced = announcedBytes(request);
  if (announced > limit) {
    await discardBody(request);
    throw new ApiError(9);
  }
  const ticket = BODY_MEMORY.reserve(Number.isNaN(announced) ? limit : announced);
  const { within, end } = bodyTimeout(MAX_BODY_MS);
  try {
    const size = await drain(request, limit, within, (piece) => {
      BODY_MEMORY.renew(ticket);
      sink(piece);
    });
    if (size > limit) throw new ApiError(9);
  } finally {
    end();
    BODY_MEMORY.release(ticket);
  }
}

/**
 * Takes in and forgets a body that nobody wants: a client that is still sending when the answer comes sees a broken
 * connection instead of it. Only so much, though; whoever sends more is cut off.
 */
export async function discardBody(request: Request): Promise<void> {
  if (!request.body || request.bodyUsed) return;
  const { within, end } = bodyTimeout(MAX_BODY_MS);
  await drain(request, 0, within, () => undefined).finally(end);
}

type Within = ReturnType<typeof bodyTimeout>["within"];

/** How many bytes it had; what is above the limit is taken in and forgotten. */
async function drain(request: Request, limit: number, within: Within, sink: Sink): Promise<number> {
  const reader = pieceReader(request.body);
  let size = 0;
  while (reader) {
    const { done, value } = await within(reader.read());
    if (done) break;
    size += value.byteLength;
    if (size > MAX_DISCARDED_BYTES) {
      await reader.cancel();
      break;
    }
    if (size <= limit) sink(value);
  }
  return size;
}

/** Into the place where it stays: the runtime hands the buffer back with what it has filled. */
async function readAnnounced(body: ReadableStream<Uint8Array>, announced: number): Promise<Uint8Array> {
  const ticket = BODY_MEMORY.reserve(announced);
  const { within, end } = bodyTimeout(MAX_BODY_MS);
  try {
    const reader = body.getReader({ mode: "byob" });
    let bytes = new Uint8Array(announced);
    for (let size = 0; size < announced; BODY_MEMORY.renew(ticket)) {
      const { done, value } = await within(reader.read(bytes.subarray(size)));
      if (done) return bytes.subarray(0, size);
      size += value.byteLength;
      bytes = new Uint8Array(value.buffer);
    }
    return bytes;
  } finally {
    end();
    BODY_MEMORY.release(ticket);
  }
}

async function readAtOnce(request: Request): Promise<Uint8Array> {
  const { within, end } = bodyTimeout();
  return new Uint8Array(await within(request.arrayBuffer()).finally(end));
}

const MAX_SINGLE_READ_BYTES = 16 * 1024;
/** Where it is not known how many there will be. */
export const INITIAL_BUFFER_BYTES = 64 * 1024;
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;
const MAX_BODY_MS = 60_000;
/** Half of what an isolate may have. */
const BODY_MEMORY = new MemoryBudget(64 * 1024 * 1024);
