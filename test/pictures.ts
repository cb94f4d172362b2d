/** The smallest picture there is. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

export function newPicture(content: Uint8Array<ArrayBuffer> = new Uint8Array(PNG), name = "picture.png"): File {
  return new File([content], name, { type: "image/png" });
}
