import { ApiError } from "#shared/error/api-error.ts";
import { type MemoryReservation, UPLOAD_MEMORY } from "./upload-memory.ts";

/**
 * An object that is written as its content comes: a small one in one go, others in parts, of which the bucket wants all
 * but the last to be of the same size.
 */
export class StoredObject {
  readonly key: string;
  readonly #bucket: R2Bucket;
  readonly #memory: MemoryReservation;
  /** One for all parts: an isolate takes in several files at a time. */
  readonly #part: Uint8Array;
  #filled = 0;
  #upload: R2MultipartUpload | undefined;
  readonly #uploadedParts: R2UploadedPart[] = [];

  /** As soon as there is memory for it. No more than `most` bytes may be written to it. */
  static async open(bucket: R2Bucket, key: string, most: number): Promise<StoredObject> {
    return new StoredObject(bucket, key, await UPLOAD_MEMORY.reserve(Math.min(most, MIN_PART_BYTES)));
  }

  private constructor(bucket: R2Bucket, key: string, space: MemoryReservation) {
    this.#bucket = bucket;
    this.key = key;
    this.#memory = space;
    this.#part = new Uint8Array(space.bytes);
  }

  async write(piece: Uint8Array) {
    this.#memory.renew();
    for (let rest = piece; rest.byteLength > 0; ) {
      const taken = rest.subarray(0, this.#part.byteLength - this.#filled);
      if (taken.byteLength === 0) throw new ApiError(271);
      this.#part.set(taken, this.#filled);
      this.#filled += taken.byteLength;
      rest = rest.subarray(taken.byteLength);
      if (this.#filled === MIN_PART_BYTES) await throwIfUnsaved(this.#writePart());
    }
  }

  async finish() {
    try {
      const last = this.#part.subarray(0, this.#filled);
      if (!this.#upload) return void (await throwIfUnsaved(this.#bucket.put(this.key, last)));
      if (this.#filled > 0) await throwIfUnsaved(this.#writePart());
      await throwIfUnsaved(this.#upload.complete(this.#uploadedParts));
    } finally {
      this.#memory.release();
    }
  }

  /** Nothing of it is kept, whether it is finished or not. */
  async remove() {
    this.#memory.release();
    await Promise.allSettled([this.#upload?.abort(), this.#bucket.delete(this.key)]);
  }

  async #writePart() {
    this.#upload ??= await this.#bucket.createMultipartUpload(this.key);
    const part = this.#part.subarray(0, this.#filled);
    this.#uploadedParts.push(await this.#upload.uploadPart(this.#uploadedParts.length + 1, part));
    this.#filled = 0;
    this.#memory.renew();
  }
}

export function throwIfUnsaved<T>(saving: Promise<T>): Promise<T> {
  return saving.catch((thrown) => {
    throw new ApiError(254, {}, { cause: thrown });
  });
}

/** The least that the bucket takes. */
const MIN_PART_BYTES = 5 * 1024 * 1024;
