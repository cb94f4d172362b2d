import { readPieces } from "#shared/body/read-pieces.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { piecesFolderOf } from "../storage/folder.ts";
import { StoredObject, throwIfUnsaved } from "../storage/stored-object.ts";
import { UPLOAD_MEMORY } from "../storage/upload-memory.ts";
import { endOf, type Piece, parsePiece, toChain } from "./chain.ts";
import { Refusal } from "./refusal.ts";
import type { Checksum } from "./request.ts";

type Body = Request["body"];
/** The offset at which an upload continues, and how many bytes may still follow. */
type RemainingContent = { file_id: number; start: number; maxBytes: number };

/** The stored pieces of a content. The bucket lists objects as soon as they are stored. */
export async function findPieces(bucket: R2Bucket, file_id: number): Promise<{ chain: Piece[]; all: Piece[] }> {
  const { objects, truncated } = await bucket.list({ prefix: piecesFolderOf(file_id) });
  if (truncated) throw new ApiError(14);
  const all = objects.flatMap(({ key }) => parsePiece(key) ?? []);
  return { chain: toChain(all), all };
}

/**
 * Stores a body piece by piece, and answers the new end of the content. If the body breaks off, all received bytes are
 * stored.
 */
export async function appendPieces(
  bucket: R2Bucket,
  { file_id, start, maxBytes }: RemainingContent,
  body: Body,
): Promise<number> {
  const memory = await UPLOAD_MEMORY.reserve(Math.min(maxBytes, MAX_PIECE_BYTES));
  const piece = new Uint8Array(memory.bytes);
  let end = start;
  let filled = 0;
  async function store() {
    if (filled === 0) return;
    await throwIfUnsaved(bucket.put(createPieceKey(file_id, end, end + filled), piece.subarray(0, filled)));
    end += filled;
    filled = 0;
  }
  try {
    for await (const bytes of readPieces(body, { maxBytes, tooLong: 271 })) {
      memory.renew();
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
    memory.release();
  }
}

/** Stores a body with a checksum as one piece; 460 and nothing stored if the checksum is wrong. */
export async function appendWithChecksum(
  bucket: R2Bucket,
  { file_id, start, maxBytes }: RemainingContent,
  body: Body,
  { hash, expected }: Checksum,
): Promise<number> {
  const object = await StoredObject.open(bucket, createPieceKey(file_id, start, start + maxBytes), maxBytes);
  try {
    let size = 0;
    for await (const bytes of readPieces(body, { maxBytes, tooLong: 271 })) {
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

/** Merges many pieces into one, so that a single listing of the bucket still finds all of them. */
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

/** Copies the content of the pieces to `sink`; 14 if another call has merged them meanwhile. */
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

/** A unique key for a piece, so that no stored piece is ever overwritten. */
function createPieceKey(file_id: number, start: number, end: number) {
  return `${piecesFolderOf(file_id)}${start}-${end}-${crypto.randomUUID()}`;
}

/** The most bytes that are lost if the Worker dies. */
const MAX_PIECE_BYTES = 2 * 1024 * 1024;
