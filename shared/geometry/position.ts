/** Degrees by WGS-84. In an array the longitude comes first, as in GeoJSON: `[lng, lat]`. */
export type Position = { lat: number; lng: number };
