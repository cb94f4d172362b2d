/**
 * The number of the square of `degrees` that contains the position. `degrees` divides 180, so that the last column ends
 * at the date line.
 */
export function squareOf(lat: number, lng: number, degrees: number): number {
  return rowOf(lat, degrees) * (360 / degrees) + columnOf(lng, degrees);
}

export function cellOf(lat: number, lng: number): number {
  return squareOf(lat, lng, CELL_DEGREES);
}

export function blockOf(lat: number, lng: number): number {
  return squareOf(lat, lng, BLOCK_DEGREES);
}

/** Cells that overlap the circle of 27 km around the position. */
export function cellsAround(lat: number, lng: number): number[] {
  return squaresAround(lat, lng, CELL_DEGREES);
}

/** Blocks that overlap the circle of `BLOCK_METERS` around the position. */
export function blocksAround(lat: number, lng: number): number[] {
  return squaresAround(lat, lng, BLOCK_DEGREES);
}

/** Neighboring squares. Meridians converge towards the poles, so more columns are near there. */
function squaresAround(lat: number, lng: number, degrees: number): number[] {
  const columns = 360 / degrees;
  const rows = 180 / degrees;
  const own = rowOf(lat, degrees);
  const squares = new Set<number>();
  for (let row = Math.max(0, own - 1); row <= Math.min(rows - 1, own + 1); row++) {
    const northmost = Math.max(Math.abs(row * degrees - 90), Math.abs((row + 1) * degrees - 90));
    const shrunk = Math.cos((Math.min(northmost, MAX_LATITUDE) * Math.PI) / 180);
    const reach = Math.min(Math.ceil(1 / shrunk), Math.floor(columns / 2));
    const column = columnOf(lng, degrees);
    for (let near = column - reach; near <= column + reach; near++)
      squares.add(row * columns + ((near + columns) % columns));
  }
  return [...squares];
}

function rowOf(lat: number, degrees: number) {
  return Math.min(Math.floor((lat + 90) / degrees), 180 / degrees - 1);
}

function columnOf(lng: number, degrees: number) {
  const columns = 360 / degrees;
  return Math.floor((lng + 180) / degrees) % columns;
}

const CELL_DEGREES = 0.25;
const BLOCK_DEGREES = 4;
const METERS_PER_DEGREE = 111_000;
export const BLOCK_METERS = BLOCK_DEGREES * METERS_PER_DEGREE;
/** No inhabited place is nearer to a pole. */
const MAX_LATITUDE = 85;
