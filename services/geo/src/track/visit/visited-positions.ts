import type { Area } from "../../place/area/areas-queries.ts";
import { contains } from "../../zone/contains.ts";
import { padBox } from "../../zone/grid/box.ts";
import { squareOf, squaresOf } from "../../zone/squares.ts";

type Position = { lat: number; lng: number };

/** Where somebody was, to the nearest meter and by squares of the earth, so that few places are asked for each area. */
export class VisitedPositions {
  #all = new Map<string, Position>();
  #bySquare = new Map<number, Position[]>();
  /** What was looked at so far: areas times places, as far as they lie near. */
  #work = 0;

  add({ lat, lng }: Position) {
    const name = `${lat.toFixed(5)} ${lng.toFixed(5)}`;
    if (this.#all.has(name)) return;
    const place = { lat, lng };
    this.#all.set(name, place);
    const square = squareOf(place);
    const others = this.#bySquare.get(square);
    if (others) others.push(place);
    else this.#bySquare.set(square, [place]);
  }

  /** Whether any is in the area; undefined: too much was looked at. */
  isInside(area: Area): boolean | undefined {
    for (const places of this.#near(area)) {
      this.#work += places.length * (1 + (area.points?.length ?? 0));
      if (this.#work > MAX_WORK) return undefined;
      if (places.some((place) => contains(area, place))) return true;
    }
    return false;
  }

  #near(area: Area): Iterable<Position[]> {
    const squares = squaresOf(padBox(area, area.radius ?? 0));
    if (!squares || squares.length > this.#bySquare.size) return this.#bySquare.values();
    return squares.flatMap((square) => {
      const places = this.#bySquare.get(square);
      return places ? [places] : [];
    });
  }
}

/** Some seconds of a processor: polygons of a hundred points around a day of a point a second. */
const MAX_WORK = 1_000_000_000;
