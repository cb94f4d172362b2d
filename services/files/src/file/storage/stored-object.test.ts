import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { StoredObject } from "./stored-object.ts";
import { UPLOAD_MEMORY } from "./upload-memory.ts";

const LARGEST = 16 * 1024 * 1024;
const PIECE = 64 * 1024;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("twenty StoredObjects of 16 MB at once hold less than 64 MB of memory, and all are stored whole", async () => {
  let most = 0;
  const sizes = new Map<string, number>();
  const bucket = slowBucket(sizes, () => {
    most = Math.max(most, UPLOAD_MEMORY.reservedBytes);
  });
  const all = Promise.all(Array.from({ length: 20 }, (_, index) => store(bucket, String(index))));
  await vi.runAllTimersAsync();
  await all;
  expect([...sizes.values()]).toEqual(Array.from({ length: 20 }, () => LARGEST));
  // Memory suffices for ten at a time.
  expect(most).toBeGreaterThanOrEqual(10 * 5 * 1024 * 1024);
  expect(most).toBeLessThan(64_000_000);
  expect(UPLOAD_MEMORY.reservedBytes).toBe(0);
});

test("a StoredObject takes no more memory than its file has bytes, and gives it back when the bucket fails", async () => {
  const bucket = slowBucket(new Map(), () => {
    throw new Error("away");
  });
  const object = await StoredObject.open(bucket, "small", 1000);
  expect(UPLOAD_MEMORY.reservedBytes).toBe(1000);
  await object.write(new Uint8Array(1000));
  await expect(object.write(new Uint8Array(1))).rejects.toMatchObject({ code: 271 });
  const failed = expect(object.finish()).rejects.toMatchObject({ code: 254 });
  await vi.runAllTimersAsync();
  await failed;
  expect(UPLOAD_MEMORY.reservedBytes).toBe(0);
});

async function store(bucket: R2Bucket, key: string) {
  const object = await StoredObject.open(bucket, key, LARGEST);
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
    createMultipartUpload: async (key: string) => ({
      uploadPart: (_number: number, part: Uint8Array) => take(key, part),
      complete: async () => undefined,
    }),
  };
  // A StoredObject calls no other methods.
  return bucket as unknown as R2Bucket;
}
