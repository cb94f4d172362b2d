import type { MarkSearch, Metered, MeterMarks, MeterSearch, Quantity } from "#shared/contract/meter.ts";
import type { ChunkCatalogue } from "../chunk/catalogue.ts";
import { pagesOf } from "../chunk/pages.ts";
import { lastOf, planChunks } from "../chunk/plan.ts";
import type { MomentSearch, Moments } from "../object/moments.ts";
import { decodePoints } from "../point/codec.ts";
import { comparePoints, mergePoints, type Point, positionOf } from "../point/point.ts";
import type { ChunkHeader } from "../table/chunk/chunk.ts";
import { Meter, summaryOf } from "./meter.ts";
import { type ChunkSummary, MeterBook, type PastTotal } from "./meter-book.ts";
import { momentsOf, type Part, type Read, totalsAt } from "./moments.ts";
import { advance, EMPTY, markAt, NOTHING, quantityAt, quantityOf, type Summary } from "./summary.ts";

/**
 * What runs up in all points of a tracker, those that are still open included. Between the stretches that are summed up
 * only hours are told apart, but for pinned moments.
 */
export class TrackerMeter {
  #book: MeterBook;
  #chunks: ChunkCatalogue;
  #read: Read;
  /** All chunks were seen to have what is wanted of them. */
  #isComplete = false;
  #live: { open: Point[]; taken: number; after: number | undefined; rules: string; meter: Meter } | undefined;
  #tail: { open: Point[]; all: ChunkHeader[]; rules: string; parts: Part[] } | undefined;

  constructor(sql: SqlStorage, chunks: ChunkCatalogue, read: Read) {
    this.#book = new MeterBook(sql, chunks);
    this.#chunks = chunks;
    this.#read = read;
  }

  pin(time: number) {
    this.#book.pin(time);
  }

  /** For a chunk that is going to be there. */
  summed(points: Point[], distances: Float64Array): ChunkSummary {
    return this.#book.summed(points, distances);
  }

  /** What somebody has asked for since a chunk was summed up is not in its summary: that is made of its points again. */
  replace(removed: number[], added: { header: ChunkHeader; data: Uint8Array; metered: ChunkSummary }[]) {
    const current = added.map(({ header, data, metered }) => ({
      header,
      metered: this.#book.isCurrent(metered) ? metered : this.#book.summed(decodePoints(data)),
    }));
    this.#book.replace(removed, current);
  }

  /**
   * What has run up in the first chunks, at their end and at each pin, for when they are forgotten. Whoever asks lets
   * nothing replace them meanwhile. Null where the database does not hold them.
   */
  async totalsThrough(chunks: ChunkHeader[]): Promise<PastTotal[] | null> {
    const last = chunks.at(-1);
    if (!last) return [];
    const isForgotten = new Set(chunks);
    const missing = this.#book.missing().filter((chunk) => isForgotten.has(chunk));
    if (!(await this.#eachRead(missing, (chunk, points) => this.#book.keep(chunk, this.#book.summed(points)))))
      return null;
    const totals: PastTotal[] = [];
    const pinsIn = ({ from, to }: ChunkHeader) => this.#book.pins.filter((pin) => pin >= from && pin <= to);
    const isRead = await this.#eachRead(
      chunks.filter((chunk) => pinsIn(chunk).length > 0),
      (chunk, points) => {
        const before = this.#book.totalAfter(chunks.indexOf(chunk) - 1);
        for (const [time, total] of totalsAt(before, points, pinsIn(chunk), this.#book.rules)) {
          totals.push({ time, total });
        }
      },
    );
    if (!isRead) return null;
    return [...totals, { time: last.to, total: this.#book.totalAfter(chunks.length - 1) }];
  }

  /** With what `totalsThrough` told of them, before the catalogue loses them. */
  forget(chunks: ChunkHeader[], totals: PastTotal[]) {
    this.#book.forget(chunks, totals);
  }

  reset() {
    this.#book.reset();
    this.#isComplete = false;
  }

  /** At these moments: at each the last mark at or before it. */
  async values({ times, of, since }: MeterSearch, open: () => Point[]): Promise<Metered> {
    const tail = await this.#prepare(of, since, open);
    const last = tail.at(-1);
    const end = last ? advance(last.before, last.summary) : this.#book.lastTotal();
    const at = (time: number) => {
      if (end.last === null || time >= end.last) return of.map((one) => quantityOf(end, one));
      const part = this.#partAt(time, tail);
      const mark = part ? markAt(part.summary.marks, time) : -1;
      return of.map((one) => (part ? quantityAt(part.before, part.summary, mark, one) : 0));
    };
    return { last: end.last, values: times.map(at) };
  }

  /** To the very point. */
  async moments(wanted: MomentSearch, open: () => Point[]): Promise<Moments> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const tail = await this.#prepare(wanted.of, wanted.since, open);
      const found = await momentsOf(wanted, {
        open: open(),
        chunks: this.#chunks,
        rules: this.#book.rules,
        partAt: (time) => this.#partAt(time, tail),
        read: this.#read,
      });
      if (found) return found;
    }
    throw new Error(CHANGING);
  }

  /** At the marks within [from, to]. */
  async marks({ from, to, of, since }: MarkSearch, open: () => Point[]): Promise<MeterMarks> {
    const tail = await this.#prepare(of, since, open);
    const marks: MeterMarks = { times: [], values: [] };
    for (const { before, summary } of this.#partsOf(from, to, tail)) {
      for (const [index, time] of summary.marks.times.entries()) {
        if (time < from || time > to) continue;
        marks.times.push(time);
        marks.values.push(of.map((one) => quantityAt(before, summary, index, one)));
      }
    }
    return marks;
  }

  /** Makes what is missing, and answers the parts that open points have a share in. */
  async #prepare(of: Quantity[], since: number, open: () => Point[]): Promise<Part[]> {
    const rules = of.flatMap((one) => (one.startsWith("hours v:") ? one.slice("hours ".length) : []));
    if (this.#book.follow(rules, since)) this.#isComplete = false;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (!(await this.#complete())) continue;
      const points = open();
      const start = this.#startBehind(points);
      const late = start > 0 ? await this.#late(points, start, open) : [];
      if (late) return [...late, ...this.#behind(points, start, late)];
    }
    throw new Error(CHANGING);
  }

  /** False when chunks were replaced meanwhile. */
  async #complete(): Promise<boolean> {
    if (this.#isComplete) return true;
    const missing = this.#book.missing();
    const [first] = missing;
    if (first) this.#book.forgetTotals(first.from);
    // A page at a time, as what was made of one is kept already.
    for (const page of pagesOf(missing)) {
      const data = await this.#read(page);
      for (const chunk of page) {
        const bytes = data.get(chunk.id);
        if (!bytes || !this.#chunks.all().includes(chunk)) return false;
        this.#book.keep(chunk, this.#book.summed(decodePoints(bytes)));
      }
      // Somebody may have asked for a total while it was read.
      if (first) this.#book.forgetTotals(first.from);
    }
    this.#isComplete = true;
    return true;
  }

  /** What has run up in the points behind the last chunk: going on from where it was looked at last. */
  #behind(open: Point[], start: number, late: Part[]): Part[] {
    const after = this.#chunks.last()?.id;
    const rules = JSON.stringify(this.#book.rules);
    if (this.#live?.open !== open || this.#live.after !== after || this.#live.rules !== rules) {
      this.#live = { open, after, rules, taken: start, meter: new Meter(this.#book.rules, this.#book.pins) };
    }
    const { meter } = this.#live;
    for (let next = open[this.#live.taken]; next; next = open[this.#live.taken]) {
      meter.take(next);
      this.#live.taken++;
    }
    const summary = meter.summary();
    const last = late.at(-1);
    const before = last ? advance(last.before, last.summary) : this.#book.lastTotal();
    return summary ? [{ before, summary, from: open[start]?.time ?? 0 }] : [];
  }

  /**
   * All stretches from the first chunk on that late points belong to, up to the last chunk. Points that come in order
   * change nothing of it. Null when chunks or points changed meanwhile.
   */
  async #late(points: Point[], start: number, open: () => Point[]): Promise<Part[] | null> {
    const all = this.#chunks.all();
    const rules = JSON.stringify(this.#book.rules);
    const known = this.#tail;
    if (known?.open === points && known.all === all && known.rules === rules) return known.parts;
    const groups = planChunks(all, points.slice(0, start));
    const joined = groups.flatMap(({ chunk, points: [first] }) =>
      chunk && first && comparePoints(first, lastOf(chunk)) <= 0 ? chunk : [],
    );
    const lateOf = new Map(groups.map((group) => [group.chunk?.id, group.points]));
    const merged = new Map<number, { summary: Summary | null; from: number }>();
    for (const page of pagesOf(joined)) {
      const data = await this.#read(page);
      for (const { id } of page) {
        const bytes = data.get(id);
        if (!bytes) return null;
        const whole = mergePoints(decodePoints(bytes), lateOf.get(id) ?? []);
        merged.set(id, { summary: this.#summed(whole), from: whole[0]?.time ?? 0 });
      }
    }
    if (open() !== points || this.#chunks.all() !== all) return null;
    const begin = all.findIndex(({ id }) => lateOf.has(id));
    const parts: Part[] = [];
    let total = this.#book.totalAfter(begin - 1);
    const add = (summary: Summary | null, from: number, chunk?: ChunkHeader) => {
      if (!summary) return;
      parts.push({ before: total, summary, from, chunk });
      total = advance(total, summary);
    };
    for (const chunk of all.slice(begin)) {
      const known = merged.get(chunk.id);
      if (known) {
        add(known.summary, known.from, chunk);
        continue;
      }
      add(this.#book.summaryOf(chunk), chunk.from, chunk);
      // Between this chunk and the next.
      const between = lateOf.get(chunk.id) ?? [];
      add(this.#summed(between), between[0]?.time ?? chunk.to);
    }
    this.#tail = { open: points, all, rules, parts };
    return parts;
  }

  /** The first open point that follows the last chunk. */
  #startBehind(open: Point[]): number {
    const last = this.#chunks.last();
    if (!last) return 0;
    const position = positionOf(open, lastOf(last));
    const there = open[position];
    return there && comparePoints(there, lastOf(last)) === 0 ? position + 1 : position;
  }

  /** False where the database does not hold one of them. */
  async #eachRead(chunks: ChunkHeader[], take: (chunk: ChunkHeader, points: Point[]) => void): Promise<boolean> {
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

  #summed(points: Point[]) {
    return summaryOf(points, this.#book.rules, this.#book.pins);
  }

  /** The part that holds the moment, or the last before it. */
  #partAt(time: number, tail: Part[]): Part | undefined {
    const forgotten = this.#book.past();
    if (forgotten && time <= forgotten.time) {
      return { before: this.#book.past(time)?.total ?? NOTHING, summary: EMPTY, from: Number.NEGATIVE_INFINITY };
    }
    const inTail = tail.findLast(({ from }) => from <= time);
    if (inTail) return inTail;
    const chunks = this.#chunks.all();
    const next = this.#chunks.firstSince(time);
    const chunk = chunks[next];
    const index = chunk && chunk.from <= time ? next : next - 1;
    return this.#storedPart(index);
  }

  *#partsOf(from: number, to: number, tail: Part[]): Generator<Part> {
    const end = tail[0]?.from ?? Number.POSITIVE_INFINITY;
    const chunks = this.#chunks.all();
    for (let index = this.#chunks.firstSince(from); index < chunks.length; index++) {
      const chunk = chunks[index];
      if (!chunk || chunk.from > to || chunk.from >= end) break;
      const part = this.#storedPart(index);
      if (part) yield part;
    }
    for (const part of tail) if (part.from <= to && part.summary.last >= from) yield part;
  }

  #storedPart(index: number): Part | undefined {
    const chunk = this.#chunks.all()[index];
    if (!chunk) return undefined;
    return { before: this.#book.totalAfter(index - 1), summary: this.#book.summaryOf(chunk), from: chunk.from, chunk };
  }
}

const ATTEMPTS = 3;
const CHANGING = "the chunks changed faster than they could be read";
