/** A stored piece of a content: bytes from `start` up to but not including `end`. */
export type Piece = { key: string; start: number; end: number };

/** Parses the key of a piece; undefined for other keys. */
export function parsePiece(key: string): Piece | undefined {
  const { start, end } = /\/(?<start>\d+)-(?<end>\d+)-[^/]*$/.exec(key)?.groups ?? {};
  return start === undefined ? undefined : { key, start: Number(start), end: Number(end) };
}

/** The pieces that make up the beginning of the content without a gap. Pieces that add nothing are left out. */
export function toChain(pieces: Piece[]): Piece[] {
  const chain: Piece[] = [];
  for (const piece of pieces.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    if (piece.start <= endOf(chain) && piece.end > endOf(chain)) chain.push(piece);
  }
  return chain;
}

/** The number of bytes in the chain. */
export function endOf(chain: Piece[]): number {
  return chain.at(-1)?.end ?? 0;
}
