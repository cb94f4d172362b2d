import type { Position } from "#shared/geometry/position.ts";
import type { Area } from "../../place/area/areas-queries.ts";
import { contains } from "../../zone/contains.ts";
import { padBox } from "../../zone/grid/box.ts";
import { squareOf, squaresOf } from "../../zone/squares.ts";

/** Positions of a tracker, one per square meter, by grid square, so that few are compared with each area. */
export class VisitedPositions {
  #all = new Map<string, Position>();
  #bySquare = new Map<number, Position[]>();
  /** Comparisons so far: positions times the points of areas. */
  #work = 0;

  add({ lat, lng }: Position) {
    const name = `${lat.toFixed(5)} ${lng.toFixed(5)}`;
    if (this.#all.has(name)) return;
    const position = { lat, lng };
    this.#all.set(name, position);
    const square = squareOf(position);
    const others = this.#bySquare.get(square);
    if (others) others.push(position);
    else this.#bySquare.set(square, [position]);
  }

  /** Whether any position is in the area; undefined: the limit of comparisons is reached. */
  isInside(area: Area): boolean | undefined {
    for (const positions of this.#near(area)) {
      this.#work += positions.length * (1 + (area.points?.length ?? 0));
      if (this.#work > MAX_WORK) return undefined;
      if (positions.some((position) => contains(area, position))) return true;
    }
    return false;
  }

  #near(area: Area): Iterable<Position[]> {
    const squares = squaresOf(padBox(area, area.radius ?? 0));
    if (!squares || squares.length > this.#bySquare.size) return this.#bySquare.values();
    return squares.flatMap((square) => {
      const positions = this.#bySquare.get(square);
      return positions ? [positions] : [];
    });
  }
}

/** Some seconds of CPU time: polygons of 100 points around a day with a point per second. */
const MAX_WORK = 1_000_000_000;
