/** Reads a body as it comes, in pieces of up to 64 KB: by default they have 4 KB, and each takes as long as a large one. */
export function pieceReader(body: ReadableStream<Uint8Array> | null | undefined) {
  const reader = body?.getReader({ mode: "byob" });
  if (!reader) return undefined;
  return {
    read: () => reader.read(new Uint8Array(PIECE_BYTES)),
    cancel: () => reader.cancel(),
    releaseLock: () => reader.releaseLock(),
  };
}

const PIECE_BYTES = 64 * 1024;
