/** An answer with as many items as a language model should read at once. `cursor` reads on; absent at the end. */
export type AnswerPage<Item> = { list: Item[]; cursor?: string };

/** The position of the first item or byte that the cursor asks for. */
export function offsetOf(cursor: string | undefined): number {
  return Number(cursor ?? 0);
}

/**
 * The items that fit into one answer; at least one. `offset` is the position of the first item in the whole list,
 * `hasMore` whether the list goes on behind the given items.
 */
export function toAnswerPage<Item>(items: Item[], offset: number, hasMore: boolean): AnswerPage<Item> {
  let bytes = 0;
  let count = 0;
  for (const item of items) {
    bytes += bytesOf(JSON.stringify(item)) + 1;
    if (bytes > MAX_ANSWER_BYTES && count > 0) break;
    count++;
  }
  const isCut = count < items.length || hasMore;
  return { list: items.slice(0, count), ...(isCut ? { cursor: String(offset + count) } : {}) };
}

/** A piece of a long text from `offset` on, in UTF-16 units. `cursor` reads on; absent at the end. */
export function toTextPage(text: string, offset: number): { text: string; cursor?: string } {
  let end = Math.min(text.length, offset + MAX_ANSWER_BYTES);
  while (bytesOf(text.slice(offset, end)) > MAX_ANSWER_BYTES) end = offset + Math.floor((end - offset) * 0.7);
  // A pair of surrogates stays together.
  if (end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1))) end--;
  return { text: text.slice(offset, end), ...(end < text.length ? { cursor: String(end) } : {}) };
}

function bytesOf(text: string) {
  return new TextEncoder().encode(text).byteLength;
}

/** Below 6,000 tokens of the common tokenizers, for every script: two bytes or more are a token. */
export const MAX_ANSWER_BYTES = 12_000;
