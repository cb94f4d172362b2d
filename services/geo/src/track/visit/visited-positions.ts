import type { WorkBudget } from "#shared/background/work-budget.ts";
import type { Position } from "#shared/geometry/position.ts";
import type { Area } from "../../place/area/areas-queries.ts";
import { contains } from "../../zone/contains.ts";
import { padBox } from "../../zone/grid/box.ts";
import { squareOf, squaresOf } from "../../zone/squares.ts";
import { zoneSteps } from "../../zone/zone-steps.ts";

/** Positions of a tracker, one per square meter, by grid square, so that few are compared with each area. */
export class VisitedPositions {
  #all = new Map<string, Position>();
  #bySquare = new Map<number, Position[]>();

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

  /** Whether any position is in the area. */
  async isInside(area: Area, budget: WorkBudget): Promise<boolean> {
    for (const positions of this.#near(area)) {
      for (const position of positions) {
        const before = zoneSteps();
        if (contains(area, position)) return true;
        const pause = budget.spend(STEPS_PER_POSITION + zoneSteps() - before);
        if (pause) await pause;
      }
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

/** Comparing a position with the box of an area takes as long as comparing so many edges. */
const STEPS_PER_POSITION = 10;
