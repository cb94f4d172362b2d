/** The media type of an image by its first bytes; undefined for other content. */
export function imageTypeOf(head: Uint8Array): string | undefined {
  const text = Buffer.from(head).toString("latin1");
  return MARKS.find(([, mark]) => mark.test(text))?.[0];
}

/** Types that browsers may show instead of storing: none of them runs scripts. */
export function isImage(mime_type: string): boolean {
  return MARKS.some(([known]) => known === mime_type);
}

const MARKS: [string, RegExp][] = [
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/png", /^\x89PNG\r\n/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF.{4}WEBP/s],
  // Photos of iPhones; few browsers show them.
  ["image/heic", /^.{4}ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/s],
];
