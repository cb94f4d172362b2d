import type { Position } from "#shared/geometry/position.ts";
/**
 * Douglas-Peucker to a number of points: splits the curve at the vertex furthest from its chord, the worst piece first.
 * Answers ascending indices: both ends, all of `keep` and the most significant others. Too deep pieces are split near
 * the middle, so that hostile tracks take n log n too. `count` receives the vertices compared per search.
 */
export function simplify(
  track: Position[],
  limit: number,
  keep: number[] = [],
  count: VertexCounter = ignore,
): number[] {
  if (track.length <= limit) return track.map((_, index) => index);
  const plane = planeOf(track);
  const indices = [...new Set([0, ...keep, track.length - 1])].sort((a, b) => a - b);

  const maxDepth = ORDINARY_DEPTH_FACTOR * Math.log2(track.length);
  const pieces: Piece[] = [];
  for (const [index, from] of indices.entries()) {
    push(pieces, pieceOf(plane, { from, to: indices[index + 1] ?? from, depth: 0, isDeep: false }, count));
  }
  while (indices.length < limit) {
    const piece = pop(pieces);
    // All remaining vertices lie on their chords.
    if (!piece) break;
    indices.push(piece.split);
    const depth = piece.depth + 1;
    const isDeep = depth > maxDepth;
    push(pieces, pieceOf(plane, { from: piece.from, to: piece.split, depth, isDeep }, count));
    push(pieces, pieceOf(plane, { from: piece.split, to: piece.to, depth, isDeep }, count));
  }
  return indices.sort((a, b) => a - b);
}

type VertexCounter = (vertices: number) => void;
type Plane = { x: Float64Array; y: Float64Array };
/**
 * `deviation`: squared distance of the furthest vertex from the chord; `depth`: number of splits that led to the piece.
 */
type Piece = { from: number; to: number; split: number; deviation: number; depth: number };
type SplitRange = { from: number; to: number; depth: number; isDeep: boolean };

/** Mercator coordinates, as a simplified track is for maps; longitudes continue over the date line. */
function planeOf(track: Position[]): Plane {
  const x = new Float64Array(track.length);
  const y = new Float64Array(track.length);
  let lng = track[0]?.lng ?? 0;
  for (const [index, position] of track.entries()) {
    lng = position.lng + 360 * Math.round((lng - position.lng) / 360);
    const sine = Math.sin((Math.max(-MERCATOR_END, Math.min(MERCATOR_END, position.lat)) * Math.PI) / 180);
    x[index] = (lng * Math.PI) / 180;
    y[index] = Math.log((1 + sine) / (1 - sine)) / 2;
  }
  return { x, y };
}

/** `split` is the vertex furthest from the chord; in a deep piece, of the middle half. */
function pieceOf({ x, y }: Plane, { from, to, depth, isDeep }: SplitRange, count: VertexCounter): Piece {
  const [startX = 0, startY = 0] = [x[from], y[from]];
  const alongX = (x[to] ?? 0) - startX;
  const alongY = (y[to] ?? 0) - startY;
  const square = alongX * alongX + alongY * alongY;
  const quarter = isDeep ? (to - from) >> 2 : 0;
  const piece = { from, to, split: (from + to) >> 1, deviation: 0, depth };
  let furthest = 0;
  let index = from + 1;
  for (; index < to; index++) {
    const offX = (x[index] ?? 0) - startX;
    const offY = (y[index] ?? 0) - startY;
    // Distance from the chord, not from the line through it: a track may turn back.
    const share = square === 0 ? 0 : Math.max(0, Math.min(1, (offX * alongX + offY * alongY) / square));
    const deviation = (offX - share * alongX) ** 2 + (offY - share * alongY) ** 2;
    if (deviation > piece.deviation) piece.deviation = deviation;
    if (deviation > furthest && index >= from + quarter && index <= to - quarter) {
      furthest = deviation;
      piece.split = index;
    }
  }
  count(index - from - 1);
  return piece;
}

function ignore() {}

/** Adds to a heap with the worst piece on top. */
function push(heap: Piece[], piece: Piece) {
  if (piece.deviation < MIN_DEVIATION) return;
  let here = heap.length;
  while (here > 0) {
    const above = (here - 1) >> 1;
    const parent = heap[above];
    if (!parent || parent.deviation >= piece.deviation) break;
    heap[here] = parent;
    here = above;
  }
  heap[here] = piece;
}

function pop(heap: Piece[]): Piece | undefined {
  const top = heap[0];
  const last = heap.pop();
  if (!last || heap.length === 0) return top;
  let here = 0;
  for (;;) {
    const below = 2 * here + 1;
    const left = heap[below];
    const right = heap[below + 1];
    if (!left) break;
    const [child, childIndex] = right && right.deviation > left.deviation ? [right, below + 1] : [left, below];
    if (child.deviation <= last.deviation) break;
    heap[here] = child;
    here = childIndex;
  }
  heap[here] = last;
  return top;
}

/** Recorded tracks and random walks are split up to twice as deep as a balanced tree. */
const ORDINARY_DEPTH_FACTOR = 8;
const MERCATOR_END = 89.9;
/** Some millimeters, squared, in radians: smaller deviations are rounding errors. */
const MIN_DEVIATION = 1e-18;
