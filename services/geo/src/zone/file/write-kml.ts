import type { Page } from "#shared/operation/list-answer.ts";
import type { Zone } from "../schema.ts";
import { coordinatesOf, textOf } from "./kml.ts";

/** A Placemark for each zone; the next page is asked for when the one before is written. */
export async function* placemarksOf(first: Page<Zone>): AsyncGenerator<object> {
  for (let page: Page<Zone> | undefined = first; page; page = await page.next?.()) {
    for (const zone of page.items) yield placemarkOf(zone);
  }
}

/** In the schema's order. */
function placemarkOf({ label, type, radius, center, points = [] }: Zone) {
  const line = points.map(coordinatesOf);
  return {
    name: textOf(label),
    ExtendedData: radius === undefined ? undefined : { Data: { "@_name": "radius", value: radius } },
    ...(type === "circle" && center && { Point: { coordinates: coordinatesOf(center) } }),
    ...(type === "sausage" && { LineString: { tessellate: 1, coordinates: line.join(" ") } }),
    ...(type === "polygon" && {
      Polygon: { outerBoundaryIs: { LinearRing: { coordinates: [...line, line[0]].join(" ") } } },
    }),
  };
}
