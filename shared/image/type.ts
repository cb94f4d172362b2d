/** The media type of an image by the mark that its content begins with; undefined for anything else. */
export function imageTypeOf(head: Uint8Array): string | undefined {
  const text = Buffer.from(head).toString("latin1");
  return MARKS.find(([, mark]) => mark.test(text))?.[0];
}

/** What is an image by its content. Browsers may show it instead of storing it: none of these runs anything. */
export function isImage(mime_type: string): boolean {
  return MARKS.some(([known]) => known === mime_type);
}

const MARKS: [string, RegExp][] = [
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/png", /^\x89PNG\r\n/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF.{4}WEBP/s],
  // As telephones write it; few browsers show it.
  ["image/heic", /^.{4}ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/s],
];
