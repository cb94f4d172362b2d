import { type CountSteps, ignoreSteps } from "./count-steps.ts";

export type Position = { lat: number; lng: number };

/**
 * The places of a `coordinates` element, read in the pieces in which its text comes: tuples of longitude, latitude and
 * perhaps a height; some writers put commas between them, too. No more is kept of the text than the number under way.
 */
export class CoordinatesReader {
  readonly #positions: Position[] = [];
  #isWrong = false;
  #text = "";
  #numbers = 0;
  #lng = Number.NaN;
  #onPosition: () => void;
  #count: CountSteps;

  /** `onPlace` may throw where there are too many. */
  constructor(onPlace: () => void, count: CountSteps = ignoreSteps) {
    this.#onPosition = onPlace;
    this.#count = count;
  }

  read(piece: string) {
    if (this.#isWrong) return;
    let start = 0;
    let index = 0;
    for (; index < piece.length; index++) {
      const code = piece.charCodeAt(index);
      const isComma = code === COMMA;
      if (!isComma && !isSpace(code)) continue;
      this.#text += piece.slice(start, index);
      start = index + 1;
      if (isComma) this.#endNumber();
      else this.#endTuple();
    }
    this.#text += piece.slice(start);
    this.#count(index);
  }

  /** Undefined where one is none. */
  end(): Position[] | undefined {
    this.#endTuple();
    return this.#isWrong ? undefined : this.#positions;
  }

  #endNumber() {
    const place = this.#numbers % 3;
    // Of a height nothing is wanted.
    const number = this.#text === "" ? Number.NaN : Number(this.#text);
    this.#count(this.#text.length);
    this.#text = "";
    this.#numbers += 1;
    if (place === 0) this.#lng = number;
    if (place === 1) this.#add(number);
  }

  #endTuple() {
    // Between tuples there may be any number of spaces.
    if (this.#text === "" && this.#numbers === 0) return;
    this.#endNumber();
    const isWhole = this.#numbers === 2 || this.#numbers % 3 === 0;
    if (!isWhole) this.#isWrong = true;
    this.#numbers = 0;
  }

  #add(lat: number) {
    const lng = this.#lng;
    if (!(Math.abs(lng) <= 180 && Math.abs(lat) <= 90)) {
      this.#isWrong = true;
      return;
    }
    this.#onPosition();
    this.#positions.push({ lat, lng });
  }
}

function isSpace(code: number) {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return code >= FIRST_WIDE_SPACE && /\s/.test(String.fromCharCode(code));
}

const COMMA = 0x2c;
const FIRST_WIDE_SPACE = 0xa0;
