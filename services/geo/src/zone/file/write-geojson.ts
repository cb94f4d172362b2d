import type { Page } from "#shared/operation/list-answer.ts";
import { boxOf, seenFrom } from "../../grid/box.ts";
import type { Zone } from "../schema.ts";

type Position = [lng: number, lat: number];

/** A document as RFC 7946 has it, a feature for each zone; the next page is asked for when the one before is written. */
export async function* geoJsonOf(first: Page<Zone>): AsyncGenerator<string> {
  yield '{"type":"FeatureCollection","features":[';
  let separator = "";
  for (let page: Page<Zone> | undefined = first; page; page = await page.next?.()) {
    for (const zone of page.items) {
      yield separator + JSON.stringify(featureOf(zone));
      separator = ",";
    }
  }
  yield "]}";
}

export function featureOf(zone: Zone): object {
  const { id, label: name, type, address, color, radius } = zone;
  return { type: "Feature", id, geometry: geometryOf(zone), properties: { name, type, address, color, radius } };
}

/** What crosses the date line is cut there into parts. */
function geometryOf({ type, center, points = [], holes = [] }: Zone) {
  if (type === "circle") return { type: "Point", coordinates: center ? [center.lng, center.lat] : [] };
  const box = boxOf(points);
  const line = points.map((point): Position => seenFrom(box, point));
  const crosses = box.west > box.east;
  if (type === "sausage") return whole("LineString", crosses ? linesOf(line) : [line]);
  const rings = [line, ...holes.map((hole) => hole.map((place): Position => seenFrom(box, place)))];
  const sides = crosses ? [sideOf(rings, 1), sideOf(rings, -1).map((ring) => ring.map(westwards))] : [rings];
  return whole("Polygon", sides.filter(([outline]) => outline && outline.length >= 3).map(wound));
}

function whole<Part>(type: string, parts: Part[]) {
  return parts.length === 1 ? { type, coordinates: parts[0] } : { type: `Multi${type}`, coordinates: parts };
}

/** The parts of a line on both sides of the date line, in its order. */
function linesOf(line: Position[]): Position[][] {
  const parts: Position[][] = [[]];
  for (const [index, to] of line.entries()) {
    const from = line[index - 1];
    if (from && (from[0] - DATE_LINE) * (to[0] - DATE_LINE) < 0) {
      const cut = meeting(from, to);
      parts.at(-1)?.push(cut);
      parts.push([cut]);
    }
    parts.at(-1)?.push(to);
  }
  return parts
    .filter(({ length }) => length > 1)
    .map((part) => (part.some(([lng]) => lng > DATE_LINE) ? part.map(westwards) : part));
}

/** Of each ring what lies to the west of the date line (1), or to the east (-1); rings that do not reach there are left out. */
function sideOf(rings: Position[][], side: 1 | -1): Position[][] {
  const isOn = ([lng]: Position) => side * (DATE_LINE - lng) >= 0;
  return rings
    .map((ring) =>
      ring.flatMap((to, index) => {
        const from = ring.at(index - 1) ?? to;
        const cut = isOn(from) === isOn(to) ? [] : [meeting(from, to)];
        return isOn(to) ? [...cut, to] : cut;
      }),
    )
    .filter((ring, index) => index === 0 || ring.length >= 3);
}

function meeting([fromLng, fromLat]: Position, [toLng, toLat]: Position): Position {
  const share = (DATE_LINE - fromLng) / (toLng - fromLng);
  return [DATE_LINE, Math.round((fromLat + share * (toLat - fromLat)) * 1e6) / 1e6];
}

function westwards([lng, lat]: Position): Position {
  return [lng - 360, lat];
}

/** Rings are closed, outlines turn to the left and holes to the right. */
function wound(rings: Position[][]): Position[][] {
  return rings.map((ring, index) => {
    const turned = areaOf(ring) > 0 === (index === 0) ? ring : ring.toReversed();
    return [...turned, ...turned.slice(0, 1)];
  });
}

/** Twice the area in square degrees; above 0 where the ring turns to the left. */
function areaOf(ring: Position[]) {
  return ring.reduce((sum, [lng, lat], index) => {
    const [beforeLng, beforeLat] = ring.at(index - 1) ?? [lng, lat];
    return sum + beforeLng * lat - lng * beforeLat;
  }, 0);
}

const DATE_LINE = 180;
