import { expect, test } from "vitest";
import { getStored } from "./stored-format.ts";

const SHEET = { format: "sheet", version: "2" };

function bucketWith(customMetadata?: Record<string, string>) {
  let isCancelled = false;
  async function cancel() {
    isCancelled = true;
  }
  // `getStored` uses these members only.
  const object = { body: { cancel }, customMetadata } as unknown as R2ObjectBody;
  return { bucket: { get: async () => object } as unknown as R2Bucket, object, isCancelled: () => isCancelled };
}

test("getStored answers an object of the expected format and version", async () => {
  const { bucket, object } = bucketWith(SHEET);
  expect(await getStored(bucket, "sheet/1", SHEET)).toBe(object);
});

test.each([
  ["another version", { ...SHEET, version: "1" }, "sheet 1"],
  ["another format", { ...SHEET, format: "chart" }, "chart 2"],
  ["no format", undefined, "undefined undefined"],
])("getStored refuses an object of %s, and names both", async (_, metadata, found) => {
  const { bucket, isCancelled } = bucketWith(metadata);
  await expect(getStored(bucket, "sheet/1", SHEET)).rejects.toThrow(
    `sheet/1 is stored as ${found}, but read as sheet 2`,
  );
  expect(isCancelled()).toBe(true);
});
