import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { room } from "./room.ts";
import { StoredObject } from "./stored.ts";

const LARGEST = 16 * 1024 * 1024;
const PIECE = 64 * 1024;

test("twenty files of 16 MB at once hold less than 64 MB between them, and all of them are stored whole", async () => {
  let most = 0;
  const sizes = new Map<string, number>();
  const bucket = slowBucket(sizes, () => {
    most = Math.max(most, room.held);
  });
  await Promise.all(Array.from({ length: 20 }, (_, index) => store(bucket, String(index))));
  expect([...sizes.values()]).toEqual(Array.from({ length: 20 }, () => LARGEST));
  // Ten come in side by side.
  expect(most).toBeGreaterThanOrEqual(10 * 5 * 1024 * 1024);
  expect(most).toBeLessThan(64_000_000);
  expect(room.held).toBe(0);
});

test("a small file takes no more memory than it has bytes, and a failed one gives it back", async () => {
  const bucket = slowBucket(new Map(), () => {
    throw new Error("away");
  });
  const object = await StoredObject.open(bucket, "small", 1000);
  expect(room.held).toBe(1000);
  await object.write(new Uint8Array(1000));
  await expect(object.write(new Uint8Array(1))).rejects.toMatchObject({ code: 271 });
  await expect(object.finish()).rejects.toMatchObject({ code: 254 });
  expect(room.held).toBe(0);
});

async function store(bucket: R2Bucket, key: string) {
  const object = await StoredObject.open(bucket, key, LARGEST);
  for (let size = 0; size < LARGEST; size += PIECE) await object.write(new Uint8Array(PIECE));
  await object.finish();
}

/** What an object asks of a bucket, each of it a moment later. */
function slowBucket(sizes: Map<string, number>, onPart: () => void): R2Bucket {
  async function take(key: string, part: Uint8Array) {
    await pause(5);
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
  // It is asked for nothing else.
  return bucket as unknown as R2Bucket;
}
