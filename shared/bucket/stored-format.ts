/** The format of stored objects. A change of it raises the version, so that no reader misreads older objects. */
export type StoredFormat = { format: string; version: string };

/** The object; null if there is none. Throws if it was stored in another format or version. */
export async function getStored(
  bucket: Pick<R2Bucket, "get">,
  key: string,
  { format, version }: StoredFormat,
): Promise<R2ObjectBody | null> {
  const stored = await bucket.get(key);
  const found = stored?.customMetadata;
  if (!stored || (found?.format === format && found.version === version)) return stored;
  await stored.body.cancel();
  throw new Error(`${key} is stored as ${found?.format} ${found?.version}, but read as ${format} ${version}`);
}
