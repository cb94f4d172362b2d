/** A part of a content that is stored: from its first byte to the one behind its last. */
export type Piece = { key: string; start: number; end: number };

/** Undefined for what is no piece's key. */
export function parsePiece(key: string): Piece | undefined {
  const { start, end } = /\/(?<start>\d+)-(?<end>\d+)-[^/]*$/.exec(key)?.groups ?? {};
  return start === undefined ? undefined : { key, start: Number(start), end: Number(end) };
}

/** Those that make up the content without a gap, each from where the one before it ends. What others hold too is left out. */
export function toChain(pieces: Piece[]): Piece[] {
  const chain: Piece[] = [];
  for (const piece of pieces.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    if (piece.start <= endOf(chain) && piece.end > endOf(chain)) chain.push(piece);
  }
  return chain;
}

/** How much of the content there is. */
export function endOf(chain: Piece[]): number {
  return chain.at(-1)?.end ?? 0;
}
