import { ApiError } from "#shared/error/api-error.ts";

/**
 * An object that is written as its content comes: a small one in one go, others in parts, of which the bucket wants all
 * but the last to be of the same size.
 */
export class StoredObject {
  readonly key: string;
  size = 0;
  /** The first bytes, by which files show what they are. */
  head = new Uint8Array();
  readonly #bucket: R2Bucket;
  readonly #limit: number;
  /** One for all parts: an isolate takes in several files at a time. */
  readonly #part: Uint8Array;
  #filled = 0;
  #upload: R2MultipartUpload | undefined;
  readonly #written: R2UploadedPart[] = [];

  constructor(bucket: R2Bucket, key: string, limit: number) {
    this.#bucket = bucket;
    this.key = key;
    this.#limit = limit;
    this.#part = new Uint8Array(Math.min(limit, PART_BYTES));
  }

  async write(piece: Uint8Array) {
    this.size += piece.byteLength;
    if (this.size > this.#limit) throw new ApiError(9);
    if (this.head.byteLength < HEAD_BYTES) this.head = Buffer.concat([this.head, piece.subarray(0, HEAD_BYTES)]);
    for (let rest = piece; rest.byteLength > 0; ) {
      const taken = rest.subarray(0, this.#part.byteLength - this.#filled);
      this.#part.set(taken, this.#filled);
      this.#filled += taken.byteLength;
      rest = rest.subarray(taken.byteLength);
      if (this.#filled === PART_BYTES) await saved(this.#writePart());
    }
  }

  async finish() {
    const last = this.#part.subarray(0, this.#filled);
    if (!this.#upload) return void (await saved(this.#bucket.put(this.key, last)));
    if (this.#filled > 0) await saved(this.#writePart());
    await saved(this.#upload.complete(this.#written));
  }

  /** Nothing of it is kept, whether it is finished or not. */
  async remove() {
    await Promise.allSettled([this.#upload?.abort(), this.#bucket.delete(this.key)]);
  }

  async #writePart() {
    this.#upload ??= await this.#bucket.createMultipartUpload(this.key);
    const part = this.#part.subarray(0, this.#filled);
    this.#written.push(await this.#upload.uploadPart(this.#written.length + 1, part));
    this.#filled = 0;
  }
}

function saved<T>(saving: Promise<T>): Promise<T> {
  return saving.catch((thrown) => {
    throw new ApiError(254, {}, { cause: thrown });
  });
}

/** The least that the bucket takes. */
const PART_BYTES = 5 * 1024 * 1024;
const HEAD_BYTES = 16;
