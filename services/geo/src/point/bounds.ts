/**
 * A box around positions given in order. While it grows its longitudes may leave -180..180, so that a track over the
 * date line stays in one piece; `wrapBounds` normalizes them.
 */
export type Bounds = { south: number; west: number; north: number; east: number };

export function boundsAround(lat: number, lng: number): Bounds {
  return { south: lat, west: lng, north: lat, east: lng };
}

export function extendBounds(bounds: Bounds, lat: number, lng: number) {
  const shifted = lng + 360 * Math.round(((bounds.west + bounds.east) / 2 - lng) / 360);
  if (lat < bounds.south) bounds.south = lat;
  if (lat > bounds.north) bounds.north = lat;
  if (shifted < bounds.west) bounds.west = shifted;
  if (shifted > bounds.east) bounds.east = shifted;
}

export function joinBounds(bounds: Bounds, other: Bounds) {
  const shift = 360 * Math.round((bounds.west + bounds.east - other.west - other.east) / 720);
  bounds.south = Math.min(bounds.south, other.south);
  bounds.north = Math.max(bounds.north, other.north);
  bounds.west = Math.min(bounds.west, other.west + shift);
  bounds.east = Math.max(bounds.east, other.east + shift);
}

/** Normalizes longitudes; `west` exceeds `east` if the box crosses the date line. */
export function wrapBounds({ south, west, north, east }: Bounds): Bounds {
  if (east - west >= 360) return { south, west: -180, north, east: 180 };
  return { south, west: wrapLongitude(west), north, east: wrapLongitude(east) };
}

function wrapLongitude(lng: number) {
  if (lng >= -180 && lng <= 180) return lng;
  // Rounds to the six digits of stored longitudes.
  return Math.round((lng - 360 * Math.round(lng / 360)) * 1e6) / 1e6;
}
