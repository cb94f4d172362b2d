import { createHash } from "node:crypto";
import { ApiError } from "#shared/error/api-error.ts";
import { imageTypeOf } from "#shared/image/type.ts";
import { readOrientation } from "../image/inspect.ts";
import type { StoredObject } from "./storage/stored-object.ts";

/** The content of an upload while it is received: counts and hashes the bytes, and passes them to the bucket. */
export class IncomingContent {
  size = 0;
  /** The first bytes, which reveal the type of images. */
  head = new Uint8Array();
  /** The EXIF orientation of an image, known when the content is stored. */
  orientation: number | undefined;
  readonly stored: StoredObject | undefined;
  readonly #maxBytes: number;
  readonly #hash = createHash("sha256");

  /** `write` throws 271 above `maxBytes`. Without `stored` the content is only hashed, to compare it with the stored one. */
  constructor(maxBytes: number, stored: StoredObject | undefined) {
    this.#maxBytes = maxBytes;
    this.stored = stored;
    if (!stored) return;
    stored.onFirstPart = (part) => {
      this.orientation = imageTypeOf(this.head) ? readOrientation(part) : undefined;
    };
  }

  async write(piece: Uint8Array) {
    this.size += piece.byteLength;
    if (this.size > this.#maxBytes) throw new ApiError(271);
    if (this.head.byteLength < HEAD_BYTES) this.head = Buffer.concat([this.head, piece.subarray(0, HEAD_BYTES)]);
    this.#hash.update(piece);
    await this.stored?.write(piece);
  }

  /** The SHA-256 of all bytes; may be called only once, at the end. */
  digest() {
    return this.#hash.digest("hex");
  }

  async remove() {
    await this.stored?.remove();
  }
}

const HEAD_BYTES = 16;
