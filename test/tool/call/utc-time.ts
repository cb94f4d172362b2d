/** A time as calls of a user in UTC give it: `yyyy-MM-dd HH:mm:ss`. */
export function writeUtc(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}
