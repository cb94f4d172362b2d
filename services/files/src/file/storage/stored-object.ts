import { ApiError } from "#shared/error/api-error.ts";
import { UploadBuffer } from "./upload-buffer.ts";

/**
 * An object of the bucket that is written while its content arrives: a small one at once, others as a multipart upload
 * whose parts must have equal sizes, except the last.
 */
export class StoredObject {
  readonly key: string;
  readonly #bucket: R2Bucket;
  /** One buffer for all parts, because an isolate receives several files at a time. */
  readonly #part: UploadBuffer;
  #upload: R2MultipartUpload | undefined;
  readonly #uploadedParts: R2UploadedPart[] = [];
  /** Called once with the first part, before it leaves the memory of the isolate. */
  onFirstPart: ((part: Uint8Array) => void) | undefined;

  /** At most `maxBytes` may be written to the object. */
  constructor(bucket: R2Bucket, key: string, { maxBytes, account_id }: { maxBytes: number; account_id: number }) {
    this.#bucket = bucket;
    this.key = key;
    this.#part = new UploadBuffer(Math.min(maxBytes, MIN_PART_BYTES), account_id);
  }

  async write(piece: Uint8Array) {
    for (let rest = piece; rest.byteLength > 0; ) {
      const added = await this.#part.add(rest);
      if (added === 0) throw new ApiError(271);
      rest = rest.subarray(added);
      if (this.#part.content.byteLength === MIN_PART_BYTES) await throwIfUnsaved(this.#writePart());
    }
  }

  async finish() {
    try {
      const last = this.#part.content;
      if (!this.#upload) {
        this.onFirstPart?.(last);
        return void (await throwIfUnsaved(this.#bucket.put(this.key, last)));
      }
      if (last.byteLength > 0) await throwIfUnsaved(this.#writePart());
      await throwIfUnsaved(this.#upload.complete(this.#uploadedParts));
    } finally {
      this.#part.release();
    }
  }

  /** Deletes the object, whether it is finished or not. */
  async remove() {
    this.#part.release();
    await Promise.allSettled([this.#upload?.abort(), this.#bucket.delete(this.key)]);
  }

  async #writePart() {
    const part = this.#part.content;
    if (!this.#upload) this.onFirstPart?.(part);
    this.#upload ??= await this.#bucket.createMultipartUpload(this.key);
    this.#uploadedParts.push(await this.#upload.uploadPart(this.#uploadedParts.length + 1, part));
    this.#part.clear();
  }
}

export function throwIfUnsaved<T>(saving: Promise<T>): Promise<T> {
  return saving.catch((thrown) => {
    throw new ApiError(254, {}, { cause: thrown });
  });
}

/** The smallest part that the bucket accepts. */
const MIN_PART_BYTES = 5 * 1024 * 1024;
