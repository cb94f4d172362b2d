import type { Position } from "#shared/geometry/position.ts";
import { type CountSteps, ignoreSteps } from "./count-steps.ts";

/**
 * Reads the positions of a `coordinates` element (OGC KML 2.3, kml:coordinates) piece by piece: tuples of longitude, latitude
 * and optional height. Some writers put commas between tuples too. Only the current number is kept as text.
 */
export class CoordinatesReader {
  readonly #positions: Position[] = [];
  #isWrong = false;
  #text = "";
  #numbers = 0;
  #lng = Number.NaN;
  #onPosition: () => void;
  #count: CountSteps;

  /** `onPosition` may throw if there are too many. */
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

  /** All positions; undefined if one is invalid. */
  end(): Position[] | undefined {
    this.#endTuple();
    return this.#isWrong ? undefined : this.#positions;
  }

  #endNumber() {
    const component = this.#numbers % 3;
    // Heights are ignored, so their text is not parsed.
    const number = this.#text === "" ? Number.NaN : Number(this.#text);
    this.#count(this.#text.length);
    this.#text = "";
    this.#numbers += 1;
    if (component === 0) this.#lng = number;
    if (component === 1) this.#add(number);
  }

  #endTuple() {
    // Any number of spaces may separate tuples.
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
