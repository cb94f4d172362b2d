/** A short hash for detecting changes. It is not cryptographic. */
export function hashOf(text: string): string {
  let [low, high] = [0x811c9dc5, 0x1234567];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  return `${(low >>> 0).toString(36)}${(high >>> 0).toString(36)}`;
}
