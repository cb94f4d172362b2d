import { ApiError } from "../error/api-error.ts";
import { bodyTimeout } from "./timeout.ts";

type Body = ReadableStream<Uint8Array> | null;

/**
 * The pieces of a request's body. Throws `tooLong` above `maxBytes`, and 5 if the body stalls, breaks off or takes longer
 * than `wholeMs`. The body then stays open, so that the caller can still discard the rest.
 */
export async function* readPieces(
  body: Body,
  { maxBytes, tooLong = 9, wholeMs }: { maxBytes: number; tooLong?: 9 | 271; wholeMs?: number },
): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader({ mode: "byob" });
  if (!reader) return;
  const { within, end } = bodyTimeout(wholeMs);
  try {
    for (let size = 0; ; ) {
      const { done, value } = await within(reader.read(new Uint8Array(PIECE_BYTES)));
      if (done) return;
      size += value.byteLength;
      if (size > maxBytes) throw new ApiError(tooLong);
      yield value;
    }
  } finally {
    end();
    reader.releaseLock();
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

/** The runtime's own pieces have 4 KB, and the cost per piece hardly depends on its size. */
const PIECE_BYTES = 64 * 1024;
