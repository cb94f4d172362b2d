import { HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { encodeColumns, MIN_WIDE_POINTS } from "../point/codec.ts";
import { bitmapOf, ColumnPool, roundToInteger } from "../point/columns.ts";
import { DEGREES } from "../point/identities.ts";
import { type CompactBatch, MAX_POINTS } from "./message.ts";
import { RANGES } from "./number.ts";
import { isTimely, parseIsoTime, type TimeLimits } from "./time.ts";

/**
 * Reads a batch in the form that programs write: no spaces, points in order, the same members in each. It goes from
 * bytes to columns without a text or an object for a point, in a third of the time. Null for all other batches and for
 * invalid ones, which are parsed as JSON.
 */
export function readCompactBatch(bytes: Uint8Array, limits: TimeLimits): CompactBatch | null {
  const begin = BEGIN.exec(asciiOf(bytes, 0, MAX_BEGIN_BYTES));
  const device_id = begin?.[1];
  if (!begin || device_id === undefined) return null;
  const start = begin[0].length;
  const members = membersOf(asciiOf(bytes, start, MAX_POINT_BYTES));
  const encoded = members && SCAN.points({ bytes, start, limits, members });
  return encoded && { device_id, bytes: encoded };
}

/** Other bytes become characters that no pattern here accepts. */
function asciiOf(bytes: Uint8Array, start: number, length: number): string {
  return LATIN.decode(bytes.subarray(start, start + length));
}

/** Members of the first point, in their order; null if it has members without a column. */
function membersOf(text: string): number[] | null {
  const point = FLAT_OBJECT.exec(text)?.[0];
  if (point === undefined) return null;
  const names = Array.from(point.matchAll(NAME), ([, name = ""]) => MEMBERS.indexOf(name));
  const isUsual = names[0] !== undefined && !names.includes(-1) && new Set(names).size === names.length;
  return isUsual && REQUIRED.every((member) => names.includes(member)) ? names : null;
}

const NO_BYTES = new Uint8Array();
/** The input of a scan: bytes, where the points start, and their members. */
type ScanInput = { bytes: Uint8Array; start: number; limits: TimeLimits; members: number[] };

/** One scanner for all batches, as a scan awaits nothing: V8 discards compiled code of a class without instances. */
class PointScan {
  #bytes: Uint8Array = NO_BYTES;
  /** The index of the next byte. */
  #at = 0;
  #limits: TimeLimits = { nowMs: 0, latestMs: 0 };
  #members: number[] = [];
  #columns: Float64Array[] = [];
  #isWholeSeconds = true;
  #before = Number.NEGATIVE_INFINITY;
  /** The day of the previous point and its start, which most points share. */
  #date = 0;
  #dayMs = 0;

  points({ bytes, start, limits, members }: ScanInput): Uint8Array | null {
    this.#bytes = bytes;
    this.#at = start;
    this.#limits = limits;
    this.#members = members;
    this.#columns = COLUMNS_OF_ALL.map((column) =>
      members.includes(column) ? COLUMNS.column(column, MAX_POINTS) : NO_COLUMN,
    );
    this.#isWholeSeconds = true;
    this.#before = Number.NEGATIVE_INFINITY;
    const points = this.#read();
    this.#bytes = NO_BYTES;
    return points;
  }

  #read(): Uint8Array | null {
    // The only accepted texts before values.
    const marks = this.#members.map((member, index) => (index === 0 ? FIRST_MARKS : NEXT_MARKS)[member] ?? END);
    let count = 0;
    do {
      if (count === MAX_POINTS || !this.#point(marks, count++)) return null;
    } while (this.#passes(NEXT_POINT));
    const isWhole = this.#passes(END) && this.#at === this.#bytes.length;
    return isWhole && count >= MIN_WIDE_POINTS ? this.#encode(count) : null;
  }

  #point(marks: Uint8Array[], index: number): boolean {
    for (let order = 0; order < marks.length; order++) {
      const member = this.#members[order] ?? 0;
      const column = this.#columns[member];
      if (!column || !this.#passes(marks[order] ?? END)) return false;
      const isRight = member === TIME ? this.#time(column, index) : this.#value(member, column, index);
      if (!isRight) return false;
    }
    return this.#passes(CLOSE);
  }

  #passes(mark: Uint8Array): boolean {
    const bytes = this.#bytes;
    const at = this.#at;
    for (let index = 0; index < mark.length; index++) if (bytes[at + index] !== mark[index]) return false;
    this.#at = at + mark.length;
    return true;
  }

  #value(member: number, column: Float64Array, index: number): boolean {
    if (member >= LBS) {
      column[index] = this.#passes(TRUE) ? 1 : 0;
      return column[index] === 1 || this.#passes(FALSE) || this.#passes(NULL);
    }
    const value = this.#number();
    if (!(value >= (MIN_VALUES[member] ?? 0) && value <= (MAX_VALUES[member] ?? 0))) {
      column[index] = Number.NaN;
      return member > LNG && this.#passes(NULL);
    }
    if (member === SATELLITES && !Number.isInteger(value)) return false;
    column[index] = roundToInteger(value * (SCALES[member] ?? 1));
    return true;
  }

  /** The number that `JSON.parse` would read; NaN, without moving on, if it has too many digits to be exact. */
  #number(): number {
    const bytes = this.#bytes;
    const isNegative = bytes[this.#at] === MINUS;
    const start = isNegative ? this.#at + 1 : this.#at;
    let at = start;
    let value = 0;
    let digit = (bytes[at] ?? 0) - ZERO;
    for (; digit >= 0 && digit <= 9; digit = (bytes[++at] ?? 0) - ZERO) value = (value * 10 + digit) | 0;
    const whole = at - start;
    let fraction = 0;
    if (bytes[at] === POINT) {
      const point = at++;
      digit = (bytes[at] ?? 0) - ZERO;
      for (; digit >= 0 && digit <= 9; digit = (bytes[++at] ?? 0) - ZERO) value = (value * 10 + digit) | 0;
      fraction = at - point - 1;
      if (fraction === 0) return Number.NaN;
    }
    const digits = whole + fraction;
    if (whole === 0 || (whole > 1 && bytes[start] === ZERO) || digits > EXACT_DIGITS) return Number.NaN;
    this.#at = at;
    if (digits > NARROW_DIGITS) value = this.#wide(start, at);
    // Both operands are exact, so the quotient is the double nearest to the text.
    const size = value / (POWERS[fraction] ?? 1);
    return isNegative ? -size : size;
  }

  /** The digits of a number of more than 32 bits, without the decimal point. */
  #wide(start: number, end: number): number {
    let value = 0;
    for (let at = start; at < end; at++) {
      const code = this.#bytes[at] ?? 0;
      if (code !== POINT) value = value * 10 + code - ZERO;
    }
    return value;
  }

  /** Each time must be later than the previous one: other batches are parsed as JSON and sorted. */
  #time(column: Float64Array, index: number): boolean {
    const time = this.#bytes[this.#at] === QUOTE ? this.#isoTime(this.#at + 1) : Math.round(this.#number());
    if (!isTimely(time, this.#limits) || time <= this.#before) return false;
    this.#before = time;
    if (Math.floor(time / 1000) * 1000 !== time) this.#isWholeSeconds = false;
    column[index] = time;
    return true;
  }

  /** Reads `2024-05-02T08:15:00Z"` or `2024-05-02T08:15:00.000Z"`; NaN for other forms. */
  #isoTime(at: number): number {
    const bytes = this.#bytes;
    const day = this.#dayAt(at);
    const hour = pairAt(bytes, at + 11);
    const minute = pairAt(bytes, at + 14);
    const second = pairAt(bytes, at + 17);
    const isTime = bytes[at + 10] === LETTER_T && bytes[at + 13] === COLON && bytes[at + 16] === COLON;
    if (!isTime || !(hour <= 23 && minute <= 59 && second <= 59)) return Number.NaN;
    const hasFraction = bytes[at + 19] === POINT;
    const fraction = hasFraction ? 10 * pairAt(bytes, at + 20) + (pairAt(bytes, at + 21) % 10) : 0;
    const end = hasFraction ? at + 23 : at + 19;
    if (bytes[end] !== LETTER_Z || bytes[end + 1] !== QUOTE) return Number.NaN;
    this.#at = end + 2;
    return day + HOUR_MS * hour + MINUTE_MS * minute + 1000 * second + fraction;
  }

  #dayAt(at: number): number {
    const bytes = this.#bytes;
    if (bytes[at + 4] !== MINUS || bytes[at + 7] !== MINUS) return Number.NaN;
    const year = 100 * pairAt(bytes, at) + pairAt(bytes, at + 2);
    const date = 1e4 * year + 100 * pairAt(bytes, at + 5) + pairAt(bytes, at + 8);
    if (date !== this.#date) {
      this.#dayMs = parseIsoTime(`${asciiOf(bytes, at, 10)}T00:00:00Z`);
      this.#date = date;
    }
    return this.#dayMs;
  }

  #encode(count: number): Uint8Array {
    const unit = this.#isWholeSeconds ? 1000 : 1;
    const columns = this.#columns.map((column) => column.subarray(0, count));
    const numbers = columns.slice(0, LBS);
    const [time = new Float64Array(), lbs = time, buffered = time, inputs = time] = [columns[0], ...columns.slice(LBS)];
    for (let index = 0; index < count; index++) time[index] = (time[index] ?? 0) / unit;
    return encodeColumns({
      unit,
      numbers: [...numbers, inputs],
      lbs: bitmapOf(lbs, isSet),
      buffered: bitmapOf(buffered, isSet),
      attributes: null,
    });
  }
}

function isSet(flag: number) {
  return flag === 1;
}

/** The value of two digits, else NaN. */
function pairAt(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] ?? 0) - ZERO;
  const ones = (bytes[at + 1] ?? 0) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : Number.NaN;
}

const BEGIN = /^\{"device_id":"([!#-[\]-~]{1,64})","points":\[/;
const FLAT_OBJECT = /^\{[^{}[\]\\]*\}/;
const NAME = /[{,]"([a-z_]+)":/g;
const MAX_BEGIN_BYTES = 100;
/** The longest first point that is recognized. */
const MAX_POINT_BYTES = 400;

const LATIN = new TextDecoder("latin1");
const ENCODER = new TextEncoder();
const [TRUE, FALSE, NULL] = [ENCODER.encode("true"), ENCODER.encode("false"), ENCODER.encode("null")];
const [CLOSE, NEXT_POINT, END] = [ENCODER.encode("}"), ENCODER.encode(","), ENCODER.encode("]}")];
const [QUOTE, MINUS, POINT, ZERO, COLON, LETTER_T, LETTER_Z] = [0x22, 0x2d, 0x2e, 0x30, 0x3a, 0x54, 0x5a];

/** In the order of columns, then the two flags. */
const MEMBERS = ["time", "lat", "lng", "speed", "heading", "alt", "satellites", "precision", "gsm_lbs", "buffered"];
const [TIME, LAT, LNG, SATELLITES, LBS] = [0, 1, 2, 6, 8];
const REQUIRED = [TIME, LAT, LNG];
const { lat, lng, speed, heading, alt, satellites, precision } = RANGES;
const LIMITS = [lat, lng, speed, heading, alt, satellites, precision];
const MIN_VALUES = Float64Array.of(0, ...LIMITS.map(([least]) => least));
const MAX_VALUES = Float64Array.of(0, ...LIMITS.map(([, max]) => max));
/** Factors from values to stored whole numbers. */
const SCALES = Float64Array.of(1, DEGREES, DEGREES, 10, 1, 1, 1, 1);

/** A double holds every whole number of so many digits. */
const EXACT_DIGITS = 15;
/** A 32-bit number holds every whole number of so many digits. */
const NARROW_DIGITS = 9;
const POWERS = Float64Array.from({ length: EXACT_DIGITS + 1 }, (_, digits) => 10 ** digits);

/** Texts before the value of each member: of the first member of a point, and of later ones. */
const FIRST_MARKS = marksAfter("{");
const NEXT_MARKS = marksAfter(",");

function marksAfter(sign: string) {
  return MEMBERS.map((name) => ENCODER.encode(`${sign}"${name}":`));
}

const SCAN = new PointScan();
const COLUMNS = new ColumnPool();
const NO_COLUMN = new Float64Array();
/** The last column is for inputs, which this form does not have. */
const COLUMNS_OF_ALL = [...MEMBERS.keys(), MEMBERS.length];
