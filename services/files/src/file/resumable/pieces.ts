import { pieceReader } from "#shared/body/piece-reader.ts";
import { bodyTimeout } from "#shared/body/timeout.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { piecesFolderOf } from "../storage/folder.ts";
import { StoredObject, throwIfUnsaved } from "../storage/stored-object.ts";
import { UPLOAD_MEMORY } from "../storage/upload-memory.ts";
import { endOf, type Piece, parsePiece, toChain } from "./chain.ts";
import { Refusal } from "./refusal.ts";
import type { Checksum } from "./request.ts";

type Body = Request["body"];
/** Where a content goes on, and how many bytes may still come. */
type RemainingContent = { file_id: number; start: number; maxBytes: number };

/** What the bucket has of a content; it tells at once what was stored. */
export async function findPieces(bucket: R2Bucket, file_id: number): Promise<{ chain: Piece[]; all: Piece[] }> {
  const { objects, truncated } = await bucket.list({ prefix: piecesFolderOf(file_id) });
  if (truncated) throw new ApiError(14);
  const all = objects.flatMap(({ key }) => parsePiece(key) ?? []);
  return { chain: toChain(all), all };
}

/**
 * Stores what comes in, piece by piece, each of which counts from then on, and answers where the content ends now. Of
 * what is cut off all counts that has come in.
 */
export async function appendPieces(
  bucket: R2Bucket,
  { file_id, start, maxBytes }: RemainingContent,
  body: Body,
): Promise<number> {
  const space = await UPLOAD_MEMORY.reserve(Math.min(maxBytes, MAX_PIECE_BYTES));
  const piece = new Uint8Array(space.bytes);
  let end = start;
  let filled = 0;
  async function store() {
    if (filled === 0) return;
    await throwIfUnsaved(bucket.put(createPieceKey(file_id, end, end + filled), piece.subarray(0, filled)));
    end += filled;
    filled = 0;
  }
  try {
    for await (const bytes of readBytes(body, maxBytes)) {
      space.renew();
      for (let rest = bytes; rest.byteLength > 0; ) {
        const taken = rest.subarray(0, piece.byteLength - filled);
        piece.set(taken, filled);
        filled += taken.byteLength;
        rest = rest.subarray(taken.byteLength);
        if (filled === piece.byteLength) await store();
      }
    }
    await store();
    return end;
  } catch (thrown) {
    if (!(thrown instanceof ApiError && thrown.code === 254)) await store();
    throw thrown;
  } finally {
    space.release();
  }
}

/** The same for a content that has to be what its sender says: all of it counts, or nothing. */
export async function appendWithChecksum(
  bucket: R2Bucket,
  { file_id, start, maxBytes }: RemainingContent,
  body: Body,
  { hash, expected }: Checksum,
): Promise<number> {
  const object = await StoredObject.open(bucket, createPieceKey(file_id, start, start + maxBytes), maxBytes);
  try {
    let size = 0;
    for await (const bytes of readBytes(body, maxBytes)) {
      size += bytes.byteLength;
      hash.update(bytes);
      await object.write(bytes);
    }
    if (size !== maxBytes || hash.digest("base64") !== expected) throw new Refusal(460, 5);
    await object.finish();
    return start + maxBytes;
  } catch (thrown) {
    await object.remove();
    throw thrown;
  }
}

/** Puts many pieces together to one, so that a content of many small ones is still found in one go. */
export async function mergePieces(bucket: R2Bucket, file_id: number, { chain, all }: { chain: Piece[]; all: Piece[] }) {
  const end = endOf(chain);
  const object = await StoredObject.open(bucket, createPieceKey(file_id, 0, end), end);
  try {
    await copyPieces(bucket, chain, object);
    await object.finish();
  } catch (thrown) {
    await object.remove();
    throw thrown;
  }
  await bucket.delete(all.filter((piece) => piece.end <= end).map(({ key }) => key));
}

/** 14 where another call has put them together meanwhile. */
export async function copyPieces(bucket: R2Bucket, chain: Piece[], sink: { write(bytes: Uint8Array): Promise<void> }) {
  let end = 0;
  for (const piece of chain) {
    const object = await bucket.get(piece.key, { range: { offset: end - piece.start } });
    if (!object) throw new ApiError(14);
    for await (const bytes of object.body) await sink.write(bytes);
    end = piece.end;
  }
}

export async function removePieces(bucket: R2Bucket, file_id: number) {
  const { objects } = await bucket.list({ prefix: piecesFolderOf(file_id) });
  if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key));
}

/** More than `most` bytes are 271; who stalls is cut off. */
async function* readBytes(body: Body, maxBytes: number): AsyncGenerator<Uint8Array> {
  const reader = pieceReader(body);
  const { within, end } = bodyTimeout();
  try {
    for (let size = 0; reader; ) {
      const { done, value } = await within(reader.read());
      if (done) return;
      size += value.byteLength;
      if (size > maxBytes) throw new ApiError(271);
      yield value;
    }
  } finally {
    end();
    reader?.releaseLock();
  }
}

/** No two have the same, so that nothing that counts is ever written over. */
function createPieceKey(file_id: number, start: number, end: number) {
  return `${piecesFolderOf(file_id)}${start}-${end}-${crypto.randomUUID()}`;
}

/** What is lost at most where the Worker dies. */
const MAX_PIECE_BYTES = 2 * 1024 * 1024;
