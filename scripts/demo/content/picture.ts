import { crc32, deflateSync } from "node:zlib";

type Corner = [x: number, y: number];
/** An area of one color (RRGGBB): a polygon by its corners, or a circle by its center and radius. */
export type Shape = { color: string } & ({ polygon: Corner[] } | { circle: [x: number, y: number, radius: number] });

const [WIDTH, HEIGHT] = [800, 600];
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function box(color: string, left: number, top: number, width: number, height: number): Shape {
  const [right, bottom] = [left + width, top + height];
  return {
    color,
    polygon: [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ],
  };
}

/** A picture of 800 to 600 pixels as PNG, with later shapes in front of earlier ones. */
export function drawPicture(shapes: Shape[]): Uint8Array<ArrayBuffer> {
  // Each line begins with the number of its filter: none.
  const lines = Buffer.alloc(HEIGHT * (1 + WIDTH * 3));
  for (const shape of shapes) {
    const color = Buffer.from(shape.color, "hex");
    for (let y = 0; y < HEIGHT; y++) {
      for (const [from, to] of spansOf(shape, y + 0.5)) {
        const [first, last] = [Math.max(0, Math.round(from)), Math.min(WIDTH, Math.round(to))];
        if (first < last) lines.fill(color, y * (1 + WIDTH * 3) + 1 + first * 3, y * (1 + WIDTH * 3) + 1 + last * 3);
      }
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  // Eight bits for each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const chunks = [chunkOf("IHDR", header), chunkOf("IDAT", deflateSync(lines)), chunkOf("IEND", Buffer.alloc(0))];
  return new Uint8Array(Buffer.concat([SIGNATURE, ...chunks]));
}

/** The pieces of the line at `y` that are inside the shape. */
function spansOf(shape: Shape, y: number): [from: number, to: number][] {
  if ("circle" in shape) {
    const [centerX, centerY, radius] = shape.circle;
    const half = Math.sqrt(radius ** 2 - (y - centerY) ** 2);
    return Number.isNaN(half) ? [] : [[centerX - half, centerX + half]];
  }
  const { polygon } = shape;
  const crossings = polygon.flatMap(([x, top], index) => {
    const [otherX, bottom] = polygon[(index + 1) % polygon.length] ?? [x, top];
    return top <= y === bottom <= y ? [] : [x + ((y - top) / (bottom - top)) * (otherX - x)];
  });
  const sorted = crossings.toSorted((one, other) => one - other);
  return sorted.flatMap((from, index): [number, number][] =>
    index % 2 === 0 ? [[from, sorted[index + 1] ?? from]] : [],
  );
}

function chunkOf(type: string, data: Buffer) {
  const typeAndData = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(typeAndData));
  return Buffer.concat([length, typeAndData, check]);
}
