import { BEGINNING_MEMORY, type MemoryReservation, PART_MEMORY } from "./upload-memory.ts";

/**
 * The bytes of an upload that are not in the bucket yet. The memory for a whole part is reserved only when the beginning
 * has arrived, and all at once: uploads that hold a part never wait for each other.
 */
export class UploadBuffer {
  readonly #account_id: number;
  readonly #maxBytes: number;
  #memory: MemoryReservation | undefined;
  #bytes = new Uint8Array();
  #filled = 0;

  constructor(maxBytes: number, account_id: number) {
    this.#maxBytes = maxBytes;
    this.#account_id = account_id;
  }

  get isFull() {
    return this.#filled === this.#maxBytes;
  }

  /** The bytes that were added since the last `clear`. They are overwritten later. */
  get content() {
    return this.#bytes.subarray(0, this.#filled);
  }

  /** Adds as many bytes as fit, and answers how many; waits for memory, 14 if there is none in time. */
  async add(bytes: Uint8Array): Promise<number> {
    this.#memory?.renew();
    if (this.#filled === this.#bytes.byteLength && !this.isFull) await this.#grow();
    const added = bytes.subarray(0, this.#bytes.byteLength - this.#filled);
    this.#bytes.set(added, this.#filled);
    this.#filled += added.byteLength;
    return added.byteLength;
  }

  clear() {
    this.#filled = 0;
    this.#memory?.renew();
  }

  release() {
    this.#memory?.release();
  }

  async #grow() {
    const isBeginning = this.#filled === 0;
    const size = isBeginning ? Math.min(this.#maxBytes, BEGINNING_BYTES) : this.#maxBytes;
    const memory = await (isBeginning ? BEGINNING_MEMORY : PART_MEMORY).reserve(size, this.#account_id);
    this.#memory?.release();
    this.#memory = memory;
    const bytes = new Uint8Array(size);
    bytes.set(this.content);
    this.#bytes = bytes;
  }
}

const BEGINNING_BYTES = 256 * 1024;
