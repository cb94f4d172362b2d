import type { Schemas } from "../../../clients/typescript/src/index.ts";
import { type LngLat, nearTo, type Shape } from "../map/drawing/shape.ts";
import { type Position, roundDegrees, toLngLat, toPosition } from "../map/drawing/wrap.ts";

export type Zone = Schemas["Zone"];
/** The members of a zone that say where it is. */
export type Outline = Pick<Zone, "type" | "radius" | "center" | "points" | "holes">;

/** The shape of a zone whose points are known. Longitudes go on beyond ±180, so that it stays in one piece. */
export function toShape({ type, radius = 0, center, points = [], holes = [] }: Outline): Shape {
  if (type === "circle") return { type, radius, rings: [center ? [toLngLat(center)] : []] };
  const outline = unwrap(points.map(toLngLat));
  const [first] = outline;
  const rings = holes.map((hole) => unwrap(hole.map(toLngLat), first));
  return { type, radius, rings: [outline, ...rings] };
}

/** The members of a zone as the API takes them. Points of a route that did not move keep their mark. */
export function toOutline({ type, radius, rings }: Shape, last: Zone | undefined) {
  const [ring = [], ...holes] = rings;
  const [center] = ring;
  if (type === "circle") return { type, radius, center: center ? toPosition(center) : null };
  const nodes = new Set(last?.points?.filter(({ node }) => node).map(({ lat, lng }) => keyOf({ lat, lng })));
  const points = ring.map(toPosition).map((position) => ({ ...position, node: nodes.has(keyOf(position)) }));
  if (type === "sausage") return { type, radius, points };
  return { type, points, holes: holes.map((hole) => hole.map(toPosition)) };
}

/** Each position as near to the one before as whole turns around the earth allow. */
function unwrap(ring: LngLat[], reference = ring[0]): LngLat[] {
  let last = reference;
  return ring.map((position) => {
    const near = last ? nearTo(position, last) : position;
    last = near;
    return near;
  });
}

function keyOf({ lat, lng }: Position): string {
  return `${roundDegrees(lat)} ${roundDegrees(lng)}`;
}
