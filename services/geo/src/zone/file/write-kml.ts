import type { Page } from "#shared/operation/list-answer.ts";
import type { Zone } from "../schema.ts";
import { formatCoordinates, toXmlText } from "./kml.ts";

/** A Placemark for each zone. The next page is read when the previous one is written. */
export async function* toPlacemarks(first: Page<Zone>): AsyncGenerator<object> {
  for (let page: Page<Zone> | undefined = first; page; page = await page.next?.()) {
    for (const zone of page.items) yield toPlacemark(zone);
  }
}

/** Members in the order of the KML schema (OGC KML 2.3, kml:Placemark). */
function toPlacemark({ label, type, radius, center, points = [] }: Zone) {
  const line = points.map(formatCoordinates);
  return {
    name: toXmlText(label),
    ExtendedData: radius === undefined ? undefined : { Data: { "@_name": "radius", value: radius } },
    ...(type === "circle" && center && { Point: { coordinates: formatCoordinates(center) } }),
    ...(type === "sausage" && { LineString: { tessellate: 1, coordinates: line.join(" ") } }),
    ...(type === "polygon" && {
      Polygon: { outerBoundaryIs: { LinearRing: { coordinates: [...line, line[0]].join(" ") } } },
    }),
  };
}
