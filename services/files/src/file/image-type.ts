/** The media type of an image by the mark that its content begins with; undefined for anything else. */
export function imageTypeOf(head: Uint8Array): string | undefined {
  const text = Buffer.from(head).toString("latin1");
  return MARKS.find(([, mark]) => mark.test(text))?.[0];
}

/** What browsers may show instead of storing it: none of these runs anything. */
export function isShown(mime_type: string): boolean {
  return MARKS.some(([shown]) => shown === mime_type);
}

const MARKS: [string, RegExp][] = [
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/png", /^\x89PNG\r\n/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF.{4}WEBP/s],
];
