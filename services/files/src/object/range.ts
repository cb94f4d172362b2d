/** A part of a file: where it begins, and how many bytes it has. */
export type ByteRange = { offset: number; length: number };

/**
 * Which parts of so many bytes a `Range` header asks for, in their order and joined where they meet; none where it has no
 * such part, or lists more than anybody needs. Undefined for a header that means nothing here: then the whole is sent.
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

/** As `bytes 0-99/1000`. */
export function toContentRange({ offset, length }: ByteRange, size: number) {
  return `bytes ${offset}-${offset + length - 1}/${size}`;
}

/** Nothing is sent twice, however often it is asked for. */
function mergeRanges(parts: ByteRange[]): ByteRange[] {
  const apart: ByteRange[] = [];
  for (const part of parts.toSorted((one, other) => one.offset - other.offset)) {
    const last = apart.at(-1);
    if (!last || part.offset > last.offset + last.length) apart.push({ ...part });
    else last.length = Math.max(last.length, part.offset + part.length - last.offset);
  }
  return apart;
}

const MAX_RANGES = 5;
