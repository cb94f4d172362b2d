import { ApiError } from "#shared/error/api-error.ts";
import { type MemoryReservation, UPLOAD_MEMORY } from "./upload-memory.ts";

/**
 * An object of the bucket that is written while its content arrives: a small one at once, others as a multipart upload
 * whose parts must have equal sizes, except the last.
 */
export class StoredObject {
  readonly key: string;
  readonly #bucket: R2Bucket;
  readonly #memory: MemoryReservation;
  /** One buffer for all parts, because an isolate receives several files at a time. */
  readonly #part: Uint8Array;
  #filled = 0;
  #upload: R2MultipartUpload | undefined;
  readonly #uploadedParts: R2UploadedPart[] = [];
  /** Called once with the first part, before it leaves the memory of the isolate. */
  onFirstPart: ((part: Uint8Array) => void) | undefined;

  /** Waits for memory. At most `maxBytes` may be written to the object. */
  static async open(bucket: R2Bucket, key: string, maxBytes: number): Promise<StoredObject> {
    return new StoredObject(bucket, key, await UPLOAD_MEMORY.reserve(Math.min(maxBytes, MIN_PART_BYTES)));
  }

  private constructor(bucket: R2Bucket, key: string, memory: MemoryReservation) {
    this.#bucket = bucket;
    this.key = key;
    this.#memory = memory;
    this.#part = new Uint8Array(memory.bytes);
  }

  async write(piece: Uint8Array) {
    this.#memory.renew();
    for (let rest = piece; rest.byteLength > 0; ) {
      const chunk = rest.subarray(0, this.#part.byteLength - this.#filled);
      if (chunk.byteLength === 0) throw new ApiError(271);
      this.#part.set(chunk, this.#filled);
      this.#filled += chunk.byteLength;
      rest = rest.subarray(chunk.byteLength);
      if (this.#filled === MIN_PART_BYTES) await throwIfUnsaved(this.#writePart());
    }
  }

  async finish() {
    try {
      const last = this.#part.subarray(0, this.#filled);
      if (!this.#upload) {
        this.onFirstPart?.(last);
        return void (await throwIfUnsaved(this.#bucket.put(this.key, last)));
      }
      if (this.#filled > 0) await throwIfUnsaved(this.#writePart());
      await throwIfUnsaved(this.#upload.complete(this.#uploadedParts));
    } finally {
      this.#memory.release();
    }
  }

  /** Deletes the object, whether it is finished or not. */
  async remove() {
    this.#memory.release();
    await Promise.allSettled([this.#upload?.abort(), this.#bucket.delete(this.key)]);
  }

  async #writePart() {
    const part = this.#part.subarray(0, this.#filled);
    if (!this.#upload) this.onFirstPart?.(part);
    this.#upload ??= await this.#bucket.createMultipartUpload(this.key);
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

/** The smallest part that the bucket accepts. */
const MIN_PART_BYTES = 5 * 1024 * 1024;
