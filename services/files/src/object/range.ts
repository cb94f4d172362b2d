/** A range of bytes of a file. */
export type ByteRange = { offset: number; length: number };

/**
 * The ranges of a `Range` header, sorted and merged where they touch. Empty if none lies within `size`, or if there are more
 * than `MAX_RANGES`. Undefined for an invalid header, which is ignored.
 */
export function parseRanges(header: string, size: number): ByteRange[] | undefined {
  const listed = /^bytes=(.*)$/i.exec(header)?.[1]?.split(",") ?? [];
  const wanted = listed.map((one) => one.trim()).filter((one) => one !== "");
  if (wanted.length === 0) return undefined;
  const parts: ByteRange[] = [];
  for (const one of wanted.slice(0, MAX_RANGES + 1)) {
    const [form, first = "", last = ""] = /^(\d*)-(\d*)$/.exec(one) ?? [];
    if (!form || form === "-" || (first && last && Number(first) > Number(last))) return undefined;
    const offset = first ? Number(first) : Math.max(0, size - Number(last));
    const end = first && last ? Math.min(size, Number(last) + 1) : size;
    if (offset < end) parts.push({ offset, length: end - offset });
  }
  return wanted.length > MAX_RANGES ? [] : mergeRanges(parts);
}

/** The value of a `Content-Range` header, as in `bytes 0-99/1000`. */
export function toContentRange({ offset, length }: ByteRange, size: number) {
  return `bytes ${offset}-${offset + length - 1}/${size}`;
}

/** Merges ranges, so that no byte is sent twice. */
function mergeRanges(parts: ByteRange[]): ByteRange[] {
  const merged: ByteRange[] = [];
  for (const part of parts.toSorted((one, other) => one.offset - other.offset)) {
    const last = merged.at(-1);
    if (!last || part.offset > last.offset + last.length) merged.push({ ...part });
    else last.length = Math.max(last.length, part.offset + part.length - last.offset);
  }
  return merged;
}

const MAX_RANGES = 5;
