/** Degrees to five decimals, which is about a metre: the latitude first. */
export function writeCoordinates({ lat, lng }: { lat: number; lng: number }): string {
  return `${lat.toFixed(5)}, ${lng.toFixed(5)}`;
}
