import type { MarkSearch, MeterMarks, MeterSearch, MeterValues, Quantity } from "#shared/contract/point/meter.ts";
import type { ChunkCatalogue } from "../chunk/catalogue.ts";
import { pagesOf } from "../chunk/pages.ts";
import { lastOf, planChunks } from "../chunk/plan.ts";
import type { MomentSearch, Moments } from "../object/moments.ts";
import { decodePoints } from "../point/codec.ts";
import { comparePoints, lowerBound, mergePoints, type Point } from "../point/point.ts";
import type { ChunkHeader } from "../table/chunk/chunk.ts";
import { Meter, summarize } from "./meter.ts";
import { momentsOf, type ReadChunks, type Segment, totalsAt } from "./moments.ts";
import { addSummary, EMPTY_SUMMARY, markAt, quantityAt, quantityOf, type Summary, ZERO_TOTAL } from "./summary.ts";
import { type ChunkSummary, type PastTotal, SummaryStore } from "./summary-store.ts";

/**
 * Counters over all points of a tracker, stored and open. Exact values exist at hourly marks and at pins; other moments
 * need the points.
 */
export class TrackerMeter {
  #summaries: SummaryStore;
  #chunks: ChunkCatalogue;
  #read: ReadChunks;
  /** True once all chunks have summaries with the current rules. */
  #isComplete = false;
  #openMeter: { open: Point[]; evaluated: number; after: number | undefined; rules: string; meter: Meter } | undefined;
  /** Without it, each request would read the chunks with late points from the database again. */
  #lateCache: { open: Point[]; all: ChunkHeader[]; rules: string; parts: Segment[] } | undefined;

  constructor(sql: SqlStorage, chunks: ChunkCatalogue, read: ReadChunks) {
    this.#summaries = new SummaryStore(sql, chunks);
    this.#chunks = chunks;
    this.#read = read;
  }

  pin(time: number) {
    this.#summaries.pin(time);
  }

  /** Summarizes the points of a chunk that is about to be written. */
  summarize(points: Point[], distances: Float64Array): ChunkSummary {
    return this.#summaries.summarize(points, distances);
  }

  /** Stores summaries of new chunks; one that lacks rules or pins added since is made from the points again. */
  replace(removed: number[], added: { header: ChunkHeader; data: Uint8Array; summarized: ChunkSummary }[]) {
    const current = added.map(({ header, data, summarized }) => ({
      header,
      summarized: this.#summaries.isCurrent(summarized) ? summarized : this.#summaries.summarize(decodePoints(data)),
    }));
    this.#summaries.replace(removed, current);
  }

  /**
   * The totals at the end of the first chunks and at each pin within them, before these chunks are deleted. The caller
   * prevents flushes meanwhile. Null if the database lacks one of the chunks.
   */
  async totalsThrough(chunks: ChunkHeader[]): Promise<PastTotal[] | null> {
    const last = chunks.at(-1);
    if (!last) return [];
    const isForgotten = new Set(chunks);
    const missing = this.#summaries.missing().filter((chunk) => isForgotten.has(chunk));
    if (
      !(await this.#readEach(missing, (chunk, points) => this.#summaries.put(chunk, this.#summaries.summarize(points))))
    )
      return null;
    const totals: PastTotal[] = [];
    const pinsIn = ({ from, to }: ChunkHeader) => this.#summaries.pins.filter((pin) => pin >= from && pin <= to);
    const isRead = await this.#readEach(
      chunks.filter((chunk) => pinsIn(chunk).length > 0),
      (chunk, points) => {
        const before = this.#summaries.totalAfter(chunks.indexOf(chunk) - 1);
        for (const [time, total] of totalsAt(before, points, pinsIn(chunk), this.#summaries.rules)) {
          totals.push({ time, total });
        }
      },
    );
    if (!isRead) return null;
    return [...totals, { time: last.to, total: this.#summaries.totalAfter(chunks.length - 1) }];
  }

  /**
   * Deletes summaries of the first chunks; `totals` are those of `totalsThrough`. To be called before the catalogue
   * forgets the chunks.
   */
  forget(chunks: ChunkHeader[], totals: PastTotal[]) {
    this.#summaries.forget(chunks, totals);
  }

  reset() {
    this.#summaries.reset();
    this.#isComplete = false;
  }

  /** Quantities at each time, taken from the last mark at or before it. */
  async values({ times, of, since }: MeterSearch, open: () => Point[]): Promise<MeterValues> {
    const tail = await this.#prepare(of, since, open);
    const last = tail.at(-1);
    const end = last ? addSummary(last.before, last.summary) : this.#summaries.lastTotal();
    const at = (time: number) => {
      if (end.last === null || time >= end.last) return of.map((one) => quantityOf(end, one));
      const part = this.#segmentAt(time, tail);
      const mark = part ? markAt(part.summary.marks, time) : -1;
      return of.map((one) => (part ? quantityAt(part.before, part.summary, mark, one) : 0));
    };
    return { last: end.last, values: times.map(at) };
  }

  /** Exact quantities, read from points where no mark is at the moment. */
  async moments(search: MomentSearch, open: () => Point[]): Promise<Moments> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const tail = await this.#prepare(search.of, search.since, open);
      const moments = await momentsOf(search, {
        open: open(),
        chunks: this.#chunks,
        rules: this.#summaries.rules,
        segmentAt: (time) => this.#segmentAt(time, tail),
        read: this.#read,
      });
      if (moments) return moments;
    }
    throw new Error(CHUNKS_CHANGED);
  }

  /** Quantities at the marks within [from, to]. */
  async marks({ from, to, of, since }: MarkSearch, open: () => Point[]): Promise<MeterMarks> {
    const tail = await this.#prepare(of, since, open);
    const marks: MeterMarks = { times: [], values: [] };
    for (const { before, summary } of this.#segmentsOf(from, to, tail)) {
      for (const [index, time] of summary.marks.times.entries()) {
        if (time < from || time > to) continue;
        marks.times.push(time);
        marks.values.push(of.map((one) => quantityAt(before, summary, index, one)));
      }
    }
    return marks;
  }

  /** Makes missing summaries; answers the segments that contain open points. */
  async #prepare(of: Quantity[], since: number, open: () => Point[]): Promise<Segment[]> {
    const rules = of.flatMap((one) => (one.startsWith("hours v:") ? one.slice("hours ".length) : []));
    if (this.#summaries.addRules(rules, since)) this.#isComplete = false;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (!(await this.#complete())) continue;
      const points = open();
      const start = this.#firstIndexAfterChunks(points);
      const late = start > 0 ? await this.#lateSegments(points, start, open) : [];
      if (late) return [...late, ...this.#segmentAfterChunks(points, start, late)];
    }
    throw new Error(CHUNKS_CHANGED);
  }

  /** False if chunks were replaced during the reading. */
  async #complete(): Promise<boolean> {
    if (this.#isComplete) return true;
    const missing = this.#summaries.missing();
    const [first] = missing;
    if (first) this.#summaries.forgetTotals(first.from);
    // Page by page: summaries of finished pages stay if a later one fails.
    for (const page of pagesOf(missing)) {
      const data = await this.#read(page);
      for (const chunk of page) {
        const bytes = data.get(chunk.id);
        if (!bytes || !this.#chunks.all().includes(chunk)) return false;
        this.#summaries.put(chunk, this.#summaries.summarize(decodePoints(bytes)));
      }
      // Another call may have stored totals without these summaries meanwhile.
      if (first) this.#summaries.forgetTotals(first.from);
    }
    this.#isComplete = true;
    return true;
  }

  /** The segment after the last chunk; continues from the last evaluated point. */
  #segmentAfterChunks(open: Point[], start: number, late: Segment[]): Segment[] {
    const after = this.#chunks.last()?.id;
    const rules = JSON.stringify(this.#summaries.rules);
    if (this.#openMeter?.open !== open || this.#openMeter.after !== after || this.#openMeter.rules !== rules) {
      this.#openMeter = {
        open,
        after,
        rules,
        evaluated: start,
        meter: new Meter(this.#summaries.rules, this.#summaries.pins),
      };
    }
    const { meter } = this.#openMeter;
    for (let next = open[this.#openMeter.evaluated]; next; next = open[this.#openMeter.evaluated]) {
      meter.add(next);
      this.#openMeter.evaluated++;
    }
    const summary = meter.summary();
    const last = late.at(-1);
    const before = last ? addSummary(last.before, last.summary) : this.#summaries.lastTotal();
    return summary ? [{ before, summary, from: open[start]?.time ?? 0 }] : [];
  }

  /**
   * All segments from the first chunk with late points to the last chunk. Points in order do not change them. Null if
   * chunks or points changed during the reading.
   */
  async #lateSegments(points: Point[], start: number, open: () => Point[]): Promise<Segment[] | null> {
    const all = this.#chunks.all();
    const rules = JSON.stringify(this.#summaries.rules);
    const known = this.#lateCache;
    if (known?.open === points && known.all === all && known.rules === rules) return known.parts;
    const groups = planChunks(all, points.slice(0, start));
    const lateChunks = groups.flatMap(({ chunk, points: [first] }) =>
      chunk && first && comparePoints(first, lastOf(chunk)) <= 0 ? chunk : [],
    );
    const lateOf = new Map(groups.map((group) => [group.chunk?.id, group.points]));
    const merged = new Map<number, { summary: Summary | null; from: number }>();
    for (const page of pagesOf(lateChunks)) {
      const data = await this.#read(page);
      for (const { id } of page) {
        const bytes = data.get(id);
        if (!bytes) return null;
        const whole = mergePoints(decodePoints(bytes), lateOf.get(id) ?? []);
        merged.set(id, { summary: this.#summarize(whole), from: whole[0]?.time ?? 0 });
      }
    }
    if (open() !== points || this.#chunks.all() !== all) return null;
    const begin = all.findIndex(({ id }) => lateOf.has(id));
    const parts: Segment[] = [];
    let total = this.#summaries.totalAfter(begin - 1);
    const add = (summary: Summary | null, from: number, chunk?: ChunkHeader) => {
      if (!summary) return;
      parts.push({ before: total, summary, from, chunk });
      total = addSummary(total, summary);
    };
    for (const chunk of all.slice(begin)) {
      const known = merged.get(chunk.id);
      if (known) {
        add(known.summary, known.from, chunk);
        continue;
      }
      add(this.#summaries.summaryOf(chunk), chunk.from, chunk);
      // Late points between this chunk and the next.
      const between = lateOf.get(chunk.id) ?? [];
      add(this.#summarize(between), between[0]?.time ?? chunk.to);
    }
    this.#lateCache = { open: points, all, rules, parts };
    return parts;
  }

  #firstIndexAfterChunks(open: Point[]): number {
    const last = this.#chunks.last();
    if (!last) return 0;
    const position = lowerBound(open, lastOf(last));
    const there = open[position];
    return there && comparePoints(there, lastOf(last)) === 0 ? position + 1 : position;
  }

  /** False if the database lacks one of the chunks. */
  async #readEach(chunks: ChunkHeader[], take: (chunk: ChunkHeader, points: Point[]) => void): Promise<boolean> {
    for (const page of pagesOf(chunks)) {
      const data = await this.#read(page);
      for (const chunk of page) {
        const bytes = data.get(chunk.id);
        if (!bytes) return false;
        take(chunk, decodePoints(bytes));
      }
    }
    return true;
  }

  #summarize(points: Point[]) {
    return summarize(points, this.#summaries.rules, this.#summaries.pins);
  }

  /** The segment that holds the moment, or the last one before it. */
  #segmentAt(time: number, tail: Segment[]): Segment | undefined {
    const forgotten = this.#summaries.pastTotal();
    if (forgotten && time <= forgotten.time) {
      return {
        before: this.#summaries.pastTotal(time)?.total ?? ZERO_TOTAL,
        summary: EMPTY_SUMMARY,
        from: Number.NEGATIVE_INFINITY,
      };
    }
    const inTail = tail.findLast(({ from }) => from <= time);
    if (inTail) return inTail;
    const chunks = this.#chunks.all();
    const next = this.#chunks.firstSince(time);
    const chunk = chunks[next];
    const index = chunk && chunk.from <= time ? next : next - 1;
    return this.#storedSegment(index);
  }

  *#segmentsOf(from: number, to: number, tail: Segment[]): Generator<Segment> {
    const end = tail[0]?.from ?? Number.POSITIVE_INFINITY;
    const chunks = this.#chunks.all();
    for (let index = this.#chunks.firstSince(from); index < chunks.length; index++) {
      const chunk = chunks[index];
      if (!chunk || chunk.from > to || chunk.from >= end) break;
      const part = this.#storedSegment(index);
      if (part) yield part;
    }
    for (const part of tail) if (part.from <= to && part.summary.last >= from) yield part;
  }

  #storedSegment(index: number): Segment | undefined {
    const chunk = this.#chunks.all()[index];
    if (!chunk) return undefined;
    return {
      before: this.#summaries.totalAfter(index - 1),
      summary: this.#summaries.summaryOf(chunk),
      from: chunk.from,
      chunk,
    };
  }
}

const MAX_ATTEMPTS = 3;
const CHUNKS_CHANGED = "the chunks changed faster than they could be read";
