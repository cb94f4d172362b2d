/** A polygon's corners in order; the edge of a number ends at the corner of that number. */
export type Ring = readonly (readonly [lat: number, lng: number, ...unknown[]])[];

/** The edges whose latitudes may contain this one, of a ring that is asked about again and again; undefined: any may. */
export function edgesAt(ring: Ring, lat: number): number[] | undefined {
  if (ring.length < LARGE) return undefined;
  const known = ringsAsked.get(ring) ?? { asked: 0, bands: undefined };
  ringsAsked.set(ring, known);
  // To sort them costs as much as to look at all of them a few times.
  if (++known.asked === OFTEN) known.bands = bandsOf(ring);
  if (!known.bands) return undefined;
  const { south, height, edges } = known.bands;
  return edges[bandAt(lat, south, height, edges.length)] ?? NONE;
}

type Bands = { south: number; height: number; edges: number[][] };

/** Undefined where most edges are so long that sorting them saves nothing. */
function bandsOf(ring: Ring): Bands | undefined {
  let [south, north] = [90, -90];
  for (const [lat] of ring) {
    if (lat < south) south = lat;
    if (lat > north) north = lat;
  }
  const count = Math.ceil(ring.length / EDGES_A_BAND);
  const height = (north - south) / count;
  if (height === 0) return undefined;
  const edges = Array.from({ length: count }, (): number[] => []);
  let placed = 0;
  for (const [edge, [lat]] of ring.entries()) {
    const before = ring.at(edge - 1)?.[0] ?? lat;
    const last = bandAt(Math.max(lat, before), south, height, count);
    for (let band = bandAt(Math.min(lat, before), south, height, count); band <= last; band++) {
      if (++placed > MOST_BANDS_AN_EDGE * ring.length) return undefined;
      edges[band]?.push(edge);
    }
  }
  return { south, height, edges };
}

function bandAt(lat: number, south: number, height: number, count: number) {
  return Math.max(0, Math.min(count - 1, Math.floor((lat - south) / height)));
}

const ringsAsked = new WeakMap<Ring, { asked: number; bands: Bands | undefined }>();
const NONE: number[] = [];
const LARGE = 32;
const OFTEN = 8;
const EDGES_A_BAND = 8;
const MOST_BANDS_AN_EDGE = 8;
