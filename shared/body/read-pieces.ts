import { ApiError } from "../error/api-error.ts";
import { systemNow } from "../time/clock.ts";
import { bodyTimeout } from "./timeout.ts";

type Body = ReadableStream<Uint8Array> | null;

type BodyLimits = {
  maxBytes: number;
  tooLong?: 9 | 271;
  /** The most time for the whole body. */
  wholeMs?: number;
  /** The least speed of the sender over `RATE_WINDOW_MS`. Time in which nobody reads does not count. */
  minBytesPerSecond?: number;
  /** True once nobody wants the body any more. */
  isEnded?: () => boolean;
};

/**
 * The pieces of a request's body. Throws `tooLong` above `maxBytes`, and 5 if the body stalls, breaks off, is too slow or
 * has ended. The body then stays open, so that the caller can still discard the rest.
 */
export async function* readPieces(
  body: Body,
  { maxBytes, tooLong = 9, wholeMs, minBytesPerSecond = 0, isEnded }: BodyLimits,
  now: () => number = systemNow,
): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader({ mode: "byob" });
  if (!reader) return;
  const { within, end } = bodyTimeout(wholeMs, isEnded, now);
  const rate = new RateWindow(minBytesPerSecond);
  try {
    for (let size = 0; ; ) {
      const began = now();
      const { done, value } = await within(reader.read(new Uint8Array(PIECE_BYTES)));
      if (done) return;
      rate.count(value.byteLength, now() - began);
      size += value.byteLength;
      if (size > maxBytes) throw new ApiError(tooLong);
      yield value;
    }
  } finally {
    end();
    await release(reader);
  }
}

/**
 * Reads and drops the rest of a refused request's body: a client that is still sending would see a broken connection
 * instead of the answer. Above `maxBytes` the connection is cut all the same.
 */
export async function discardBody(body: Body, maxBytes: number, wholeMs?: number): Promise<void> {
  try {
    for await (const _ of readPieces(body, { maxBytes, wholeMs }));
  } catch {
    await body?.cancel().catch(() => undefined);
  }
}

/** Ends the reader. A body of which a read is still waiting is given up: the runtime releases no such reader. */
async function release(reader: ReadableStreamBYOBReader) {
  try {
    reader.releaseLock();
  } catch {
    await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}

/** Measures how fast a sender is while its body is read; throws 5 if it is too slow. */
class RateWindow {
  readonly #minBytes: number;
  #bytes = 0;
  #ms = 0;

  constructor(minBytesPerSecond: number) {
    this.#minBytes = (minBytesPerSecond * RATE_WINDOW_MS) / 1000;
  }

  count(bytes: number, ms: number) {
    this.#bytes += bytes;
    this.#ms += ms;
    if (this.#ms < RATE_WINDOW_MS) return;
    if (this.#bytes < this.#minBytes) throw new ApiError(5);
    this.#bytes = 0;
    this.#ms = 0;
  }
}

const RATE_WINDOW_MS = 30_000;
/** The runtime's own pieces have 4 KB, and the cost per piece hardly depends on its size. */
const PIECE_BYTES = 64 * 1024;
