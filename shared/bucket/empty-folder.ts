/** Removes all objects whose keys begin with `prefix`. */
export async function emptyFolder(bucket: R2Bucket, prefix: string) {
  for (let more = true; more; ) {
    const { objects, truncated } = await bucket.list({ prefix });
    if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key));
    more = truncated;
  }
}
