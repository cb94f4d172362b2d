import { createHash } from "node:crypto";
import { ApiError } from "#shared/error/api-error.ts";
import type { StoredObject } from "./storage/stored-object.ts";

/** What is learned of a content while it comes in. */
export class IncomingContent {
  size = 0;
  /** The first bytes, by which files show what they are. */
  head = new Uint8Array();
  readonly stored: StoredObject | undefined;
  readonly #maxBytes: number;
  readonly #hash = createHash("sha256");

  /** More than `most` bytes are 271. Without a store the content is only compared. */
  constructor(most: number, stored: StoredObject | undefined) {
    this.#maxBytes = most;
    this.stored = stored;
  }

  async write(piece: Uint8Array) {
    this.size += piece.byteLength;
    if (this.size > this.#maxBytes) throw new ApiError(271);
    if (this.head.byteLength < HEAD_BYTES) this.head = Buffer.concat([this.head, piece.subarray(0, HEAD_BYTES)]);
    this.#hash.update(piece);
    await this.stored?.write(piece);
  }

  /** Once, when all has come in. */
  digest() {
    return this.#hash.digest("hex");
  }

  async remove() {
    await this.stored?.remove();
  }
}

const HEAD_BYTES = 16;
