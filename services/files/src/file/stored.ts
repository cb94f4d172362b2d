import { ApiError } from "#shared/error/api-error.ts";
import { room, type Space } from "./room.ts";

/**
 * An object that is written as its content comes: a small one in one go, others in parts, of which the bucket wants all
 * but the last to be of the same size.
 */
export class StoredObject {
  readonly key: string;
  readonly #bucket: R2Bucket;
  readonly #space: Space;
  /** One for all parts: an isolate takes in several files at a time. */
  readonly #part: Uint8Array;
  #filled = 0;
  #upload: R2MultipartUpload | undefined;
  readonly #written: R2UploadedPart[] = [];

  /** As soon as there is memory for it. No more than `most` bytes may be written to it. */
  static async open(bucket: R2Bucket, key: string, most: number): Promise<StoredObject> {
    return new StoredObject(bucket, key, await room.take(Math.min(most, PART_BYTES)));
  }

  private constructor(bucket: R2Bucket, key: string, space: Space) {
    this.#bucket = bucket;
    this.key = key;
    this.#space = space;
    this.#part = new Uint8Array(space.bytes);
  }

  async write(piece: Uint8Array) {
    this.#space.use();
    for (let rest = piece; rest.byteLength > 0; ) {
      const taken = rest.subarray(0, this.#part.byteLength - this.#filled);
      if (taken.byteLength === 0) throw new ApiError(271);
      this.#part.set(taken, this.#filled);
      this.#filled += taken.byteLength;
      rest = rest.subarray(taken.byteLength);
      if (this.#filled === PART_BYTES) await saved(this.#writePart());
    }
  }

  async finish() {
    try {
      const last = this.#part.subarray(0, this.#filled);
      if (!this.#upload) return void (await saved(this.#bucket.put(this.key, last)));
      if (this.#filled > 0) await saved(this.#writePart());
      await saved(this.#upload.complete(this.#written));
    } finally {
      this.#space.release();
    }
  }

  /** Nothing of it is kept, whether it is finished or not. */
  async remove() {
    this.#space.release();
    await Promise.allSettled([this.#upload?.abort(), this.#bucket.delete(this.key)]);
  }

  async #writePart() {
    this.#upload ??= await this.#bucket.createMultipartUpload(this.key);
    const part = this.#part.subarray(0, this.#filled);
    this.#written.push(await this.#upload.uploadPart(this.#written.length + 1, part));
    this.#filled = 0;
    this.#space.use();
  }
}

export function saved<T>(saving: Promise<T>): Promise<T> {
  return saving.catch((thrown) => {
    throw new ApiError(254, {}, { cause: thrown });
  });
}

/** The least that the bucket takes. */
const PART_BYTES = 5 * 1024 * 1024;
