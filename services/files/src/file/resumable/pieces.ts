import { pieceReader } from "#shared/body/piece-reader.ts";
import { bodyTimeout } from "#shared/body/timeout.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { piecesFolder } from "../folder.ts";
import { room } from "../room.ts";
import { StoredObject, saved } from "../stored.ts";
import { chainOf, endOf, type Piece, pieceOf } from "./chain.ts";
import { Refusal } from "./refusal.ts";
import type { Checksum } from "./request.ts";

type Body = Request["body"];
/** Where a content goes on, and how many bytes may still come. */
type Rest = { file_id: number; start: number; most: number };

/** What the bucket has of a content; it tells at once what was stored. */
export async function findPieces(bucket: R2Bucket, file_id: number): Promise<{ chain: Piece[]; all: Piece[] }> {
  const { objects, truncated } = await bucket.list({ prefix: piecesFolder(file_id) });
  if (truncated) throw new ApiError(14);
  const all = objects.flatMap(({ key }) => pieceOf(key) ?? []);
  return { chain: chainOf(all), all };
}

/**
 * Stores what comes in, piece by piece, each of which counts from then on, and answers where the content ends now. Of
 * what is cut off all counts that has come in.
 */
export async function appendPieces(bucket: R2Bucket, { file_id, start, most }: Rest, body: Body): Promise<number> {
  const space = await room.take(Math.min(most, PIECE_BYTES));
  const piece = new Uint8Array(space.bytes);
  let end = start;
  let filled = 0;
  async function store() {
    if (filled === 0) return;
    await saved(bucket.put(keyOf(file_id, end, end + filled), piece.subarray(0, filled)));
    end += filled;
    filled = 0;
  }
  try {
    for await (const bytes of bytesOf(body, most)) {
      space.use();
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
export async function appendChecked(
  bucket: R2Bucket,
  { file_id, start, most }: Rest,
  body: Body,
  { hash, expected }: Checksum,
): Promise<number> {
  const object = await StoredObject.open(bucket, keyOf(file_id, start, start + most), most);
  try {
    let size = 0;
    for await (const bytes of bytesOf(body, most)) {
      size += bytes.byteLength;
      hash.update(bytes);
      await object.write(bytes);
    }
    if (size !== most || hash.digest("base64") !== expected) throw new Refusal(460, 5);
    await object.finish();
    return start + most;
  } catch (thrown) {
    await object.remove();
    throw thrown;
  }
}

/** Puts many pieces together to one, so that a content of many small ones is still found in one go. */
export async function mergePieces(bucket: R2Bucket, file_id: number, { chain, all }: { chain: Piece[]; all: Piece[] }) {
  const end = endOf(chain);
  const object = await StoredObject.open(bucket, keyOf(file_id, 0, end), end);
  try {
    await pour(bucket, chain, object);
    await object.finish();
  } catch (thrown) {
    await object.remove();
    throw thrown;
  }
  await bucket.delete(all.filter((piece) => piece.end <= end).map(({ key }) => key));
}

/** 14 where another call has put them together meanwhile. */
export async function pour(bucket: R2Bucket, chain: Piece[], sink: { write(bytes: Uint8Array): Promise<void> }) {
  let end = 0;
  for (const piece of chain) {
    const object = await bucket.get(piece.key, { range: { offset: end - piece.start } });
    if (!object) throw new ApiError(14);
    for await (const bytes of object.body) await sink.write(bytes);
    end = piece.end;
  }
}

export async function removePieces(bucket: R2Bucket, file_id: number) {
  const { objects } = await bucket.list({ prefix: piecesFolder(file_id) });
  if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key));
}

/** More than `most` bytes are 271; who stalls is cut off. */
async function* bytesOf(body: Body, most: number): AsyncGenerator<Uint8Array> {
  const reader = pieceReader(body);
  const { within, end } = bodyTimeout();
  try {
    for (let size = 0; reader; ) {
      const { done, value } = await within(reader.read());
      if (done) return;
      size += value.byteLength;
      if (size > most) throw new ApiError(271);
      yield value;
    }
  } finally {
    end();
    reader?.releaseLock();
  }
}

/** No two have the same, so that nothing that counts is ever written over. */
function keyOf(file_id: number, start: number, end: number) {
  return `${piecesFolder(file_id)}${start}-${end}-${crypto.randomUUID()}`;
}

/** What is lost at most where the Worker dies. */
const PIECE_BYTES = 2 * 1024 * 1024;
