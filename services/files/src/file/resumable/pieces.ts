import { readPieces } from "#shared/body/read-pieces.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { SPEED } from "../form.ts";
import { piecesFolderOf } from "../storage/folder.ts";
import { StoredObject, throwIfUnsaved } from "../storage/stored-object.ts";
import { UploadBuffer } from "../storage/upload-buffer.ts";
import { endOf, type Piece, parsePiece, toChain } from "./chain.ts";
import { Refusal } from "./refusal.ts";
import type { Checksum } from "./request.ts";

/** The offset at which an upload continues, and how many bytes may still follow. */
type RemainingContent = { file_id: number; account_id: number; start: number; maxBytes: number };
/** The body of an attempt, which may be superseded by a newer one. */
export type AttemptedBody = { body: Request["body"]; isSuperseded: () => boolean };

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
  { file_id, account_id, start, maxBytes }: RemainingContent,
  { body, isSuperseded }: AttemptedBody,
): Promise<number> {
  const piece = new UploadBuffer(Math.min(maxBytes, MAX_PIECE_BYTES), account_id);
  let end = start;
  async function store() {
    const { content } = piece;
    if (content.byteLength === 0) return;
    await throwIfUnsaved(bucket.put(createPieceKey(file_id, end, end + content.byteLength), content));
    end += content.byteLength;
    piece.clear();
  }
  try {
    for await (const bytes of readPieces(body, { ...SPEED, maxBytes, tooLong: 271, isEnded: isSuperseded })) {
      for (let rest = bytes; rest.byteLength > 0; ) {
        rest = rest.subarray(await piece.add(rest));
        if (piece.isFull) await store();
      }
    }
    await store();
    return end;
  } catch (thrown) {
    if (!(thrown instanceof ApiError && thrown.code === 254)) await store();
    throw thrown;
  } finally {
    piece.release();
  }
}

/** Stores a body with a checksum as one piece; 460 and nothing stored if the checksum is wrong. */
export async function appendWithChecksum(
  bucket: R2Bucket,
  { file_id, account_id, start, maxBytes }: RemainingContent,
  { body, isSuperseded }: AttemptedBody,
  { hash, expected }: Checksum,
): Promise<number> {
  const key = createPieceKey(file_id, start, start + maxBytes);
  const object = new StoredObject(bucket, key, { maxBytes, account_id });
  try {
    let size = 0;
    for await (const bytes of readPieces(body, { ...SPEED, maxBytes, tooLong: 271, isEnded: isSuperseded })) {
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
export async function mergePieces(
  bucket: R2Bucket,
  { file_id, account_id }: Pick<RemainingContent, "file_id" | "account_id">,
  { chain, all }: { chain: Piece[]; all: Piece[] },
) {
  const end = endOf(chain);
  const object = new StoredObject(bucket, createPieceKey(file_id, 0, end), { maxBytes: end, account_id });
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
