import type { Quantity } from "#shared/contract/point/meter.ts";
import type { ChunkCatalogue } from "../chunk/catalogue.ts";
import { pagesOf } from "../chunk/pages.ts";
import { firstOf } from "../chunk/plan.ts";
import { MAX_BYTES_PER_PAGE } from "../chunk/queries.ts";
import type { MomentSearch, Moments } from "../object/moments.ts";
import { decodePoints } from "../point/codec.ts";
import {
  comparePoints,
  earliestAt,
  type Identity,
  lowerBound,
  mergePoints,
  type Point,
  pointsWithin,
} from "../point/point.ts";
import type { ChunkHeader } from "../table/chunk/chunk.ts";
import { Meter, type RuleName } from "./meter.ts";
import { addSummary, markAt, quantityAt, quantityOf, type Summary, type Total } from "./summary.ts";

/** Reads the points of chunks page by page; answers them by chunk id. */
export type ReadChunks = (chunks: ChunkHeader[]) => Promise<Map<number, Uint8Array>>;
/** Consecutive points and the total before them. */
export type Segment = { before: Total; summary: Summary; from: number; chunk?: ChunkHeader };

type TrackerPoints = {
  open: Point[];
  chunks: ChunkCatalogue;
  rules: RuleName[];
  segmentAt(time: number): Segment | undefined;
  read: ReadChunks;
};
/** The moments and cuts requested within one segment. Without the segment's marks, which may be hundreds. */
type SegmentRequest = Pick<Segment, "before" | "from" | "chunk"> & {
  last: number;
  times: number[];
  cuts: number[];
  needed: boolean;
};

/** Null if chunks were replaced during the reading. */
export async function momentsOf(
  { needed, cuts, times, of }: MomentSearch,
  tracker: TrackerPoints,
): Promise<Moments | null> {
  const { open, rules, read } = tracker;
  const starts = cuts.map((cut) => ({ cut, point: firstPointSince(cut, tracker) }));
  const cutPoints = starts.flatMap(({ point }) => point ?? []);
  const searched = [
    ...[...needed, ...cutPoints.map(({ time }) => time)].map((time) => ({ time, is: "needed" as const })),
    ...starts.flatMap(({ cut, point }) => (point === undefined ? { time: cut, is: "cut" as const } : [])),
    ...times.map((time) => ({ time, is: "wanted" as const })),
  ].toSorted((one, other) => one.time - other.time);
  const values = new Map<number, number[]>();
  const requests = toSegmentRequests(searched, of, tracker, values);

  const addValues = (request: SegmentRequest, stored: Point[]) => {
    const points = mergePoints(stored, pointsWithin(open, request.from, request.last));
    const cutsWithin = request.cuts.flatMap((cut) => points[positionBehind(points, cut)] ?? []);
    cutPoints.push(...cutsWithin);
    const moments = [...request.times, ...cutsWithin.map(({ time }) => time)];
    for (const [time, total] of totalsAt(request.before, points, moments, rules)) {
      values.set(
        time,
        of.map((one) => quantityOf(total, one)),
      );
    }
  };
  for (const request of requests) if (!request.chunk) addValues(request, []);
  const byChunk = Map.groupBy(withinOnePage(requests), ({ chunk }) => chunk);
  for (const page of pagesOf([...byChunk.keys()].filter((chunk) => chunk !== undefined))) {
    const data = await read(page);
    for (const chunk of page) {
      const bytes = data.get(chunk.id);
      if (!bytes) return null;
      for (const request of byChunk.get(chunk) ?? []) addValues(request, decodePoints(bytes));
    }
  }
  return { cuts: cutPoints.toSorted(comparePoints), values };
}

/** The first point at or after the cut; undefined: within a chunk, which must be read; null: no such point. */
function firstPointSince(cut: number, { open, chunks }: TrackerPoints): Identity | null | undefined {
  const chunk = chunks.all()[chunks.firstSince(cut)];
  if (chunk && chunk.from < cut) return undefined;
  const stored = chunk && firstOf(chunk);
  const here = open[positionBehind(open, cut)];
  if (!stored || !here) return here ?? stored ?? null;
  return comparePoints(here, stored) < 0 ? here : stored;
}

type RequestedMoment = { time: number; is: "needed" | "cut" | "wanted" };

/** Groups moments in time order by the segments that hold them. Values at marks are exact and are set at once. */
function toSegmentRequests(
  moments: RequestedMoment[],
  of: Quantity[],
  tracker: TrackerPoints,
  values: Map<number, number[]>,
): SegmentRequest[] {
  const requests: SegmentRequest[] = [];
  let part: Segment | undefined;
  let request: SegmentRequest | undefined;
  for (const { time, is } of moments) {
    if (!part || time > part.summary.last) {
      part = tracker.segmentAt(time);
      request = undefined;
    }
    const marked = is === "cut" ? null : valuesAtMark(part, time, of);
    if (marked) values.set(time, marked);
    if (marked || !part) continue;
    if (!request) {
      const { before, from, chunk, summary } = part;
      request = { before, from, chunk, last: summary.last, times: [], cuts: [], needed: false };
      requests.push(request);
    }
    (is === "cut" ? request.cuts : request.times).push(time);
    if (is !== "wanted") request.needed = true;
  }
  return requests;
}

/** Null if only the segment's points can tell. */
function valuesAtMark(part: Segment | undefined, time: number, of: Quantity[]): number[] | null {
  if (!part) return of.map(() => 0);
  const { before, summary } = part;
  const mark = markAt(summary.marks, time);
  const isExact = time >= summary.last || summary.marks.times[mark] === time;
  return isExact ? of.map((one) => quantityAt(before, summary, mark, one)) : null;
}

/** Requests whose chunks must be read, and as many others as fit into one page with them. */
function withinOnePage(requests: SegmentRequest[]): SegmentRequest[] {
  const needed = new Set(requests.flatMap(({ chunk, needed }) => (chunk && needed ? chunk : [])));
  let bytes = [...needed].reduce((sum, chunk) => sum + chunk.bytes, 0);
  return requests.filter(({ chunk }) => {
    if (!chunk) return false;
    if (needed.has(chunk)) return true;
    bytes += chunk.bytes;
    return bytes <= MAX_BYTES_PER_PAGE;
  });
}

/** The totals at several times, in one pass along the points. */
export function totalsAt(before: Total, points: Point[], times: number[], rules: RuleName[]): Map<number, Total> {
  const meter = new Meter(rules, [], Number.POSITIVE_INFINITY);
  const totals = new Map<number, Total>();
  let next = 0;
  for (const time of times.toSorted((one, other) => one - other)) {
    for (let point = points[next]; point && point.time <= time; point = points[next]) {
      meter.add(point);
      next++;
    }
    const summary = meter.summary();
    totals.set(time, summary ? addSummary(before, summary) : before);
  }
  return totals;
}

function positionBehind(points: Point[], time: number) {
  return lowerBound(points, earliestAt(time));
}
