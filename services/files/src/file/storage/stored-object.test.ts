import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { StoredObject } from "./stored-object.ts";
import { BEGINNING_MEMORY, PART_MEMORY } from "./upload-memory.ts";

const LARGEST = 16 * 1024 * 1024;
const PIECE = 64 * 1024;
const BEGINNING = 256 * 1024;
const reservedBytes = () => BEGINNING_MEMORY.reservedBytes + PART_MEMORY.reservedBytes;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("twenty StoredObjects of 16 MB at once hold less than 64 MB of memory, and all are stored whole", async () => {
  let most = 0;
  const sizes = new Map<string, number>();
  const bucket = slowBucket(sizes, () => {
    most = Math.max(most, reservedBytes());
  });
  const all = Promise.all(Array.from({ length: 20 }, (_, index) => store(bucket, String(index))));
  await vi.runAllTimersAsync();
  await all;
  expect([...sizes.values()]).toEqual(Array.from({ length: 20 }, () => LARGEST));
  // Memory suffices for the parts of eight at a time.
  expect(most).toBeGreaterThanOrEqual(8 * 5 * 1024 * 1024);
  expect(most).toBeLessThan(64_000_000);
  expect(reservedBytes()).toBe(0);
});

test("a StoredObject takes no more memory than its file has bytes, and gives it back when the bucket fails", async () => {
  const bucket = slowBucket(new Map(), () => {
    throw new Error("away");
  });
  const object = new StoredObject(bucket, "small", { maxBytes: 1000, account_id: 1 });
  expect(reservedBytes()).toBe(0);
  await object.write(new Uint8Array(1000));
  expect(reservedBytes()).toBe(1000);
  await expect(object.write(new Uint8Array(1))).rejects.toMatchObject({ code: 271 });
  const failed = expect(object.finish()).rejects.toMatchObject({ code: 254 });
  await vi.runAllTimersAsync();
  await failed;
  expect(reservedBytes()).toBe(0);
});

test("a StoredObject takes the memory of a part only when its beginning has arrived", async () => {
  const object = new StoredObject(
    slowBucket(new Map(), () => undefined),
    "slow",
    { maxBytes: LARGEST, account_id: 1 },
  );
  for (let size = 0; size < BEGINNING; size += PIECE) await object.write(new Uint8Array(PIECE));
  expect(reservedBytes()).toBe(BEGINNING);
  await object.write(new Uint8Array(1));
  expect(reservedBytes()).toBe(5 * 1024 * 1024);
  const removed = object.remove();
  await vi.runAllTimersAsync();
  await removed;
  expect(reservedBytes()).toBe(0);
});

/** Stores a file of an account of its own. */
async function store(bucket: R2Bucket, key: string) {
  const object = new StoredObject(bucket, key, { maxBytes: LARGEST, account_id: Number(key) });
  for (let size = 0; size < LARGEST; size += PIECE) await object.write(new Uint8Array(PIECE));
  await object.finish();
}

/** The calls that a StoredObject makes to its bucket; each is answered five milliseconds later. */
function slowBucket(sizes: Map<string, number>, onPart: () => void): R2Bucket {
  async function take(key: string, part: Uint8Array) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    onPart();
    sizes.set(key, (sizes.get(key) ?? 0) + part.byteLength);
  }
  const bucket = {
    put: take,
    delete: async () => undefined,
    createMultipartUpload: async (key: string) => ({
      uploadPart: (_number: number, part: Uint8Array) => take(key, part),
      complete: async () => undefined,
    }),
  };
  // A StoredObject calls no other methods.
  return bucket as unknown as R2Bucket;
}
