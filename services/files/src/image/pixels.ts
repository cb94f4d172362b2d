export type Size = { width: number; height: number };
/** Pixels in rows, `channels` bytes each: 1 gray, 3 RGB, 4 RGBA. */
export type Pixels = Size & { channels: 1 | 3 | 4; data: Uint8Array };

/** The size scaled down to fit into a square, with the same aspect ratio; never enlarged. */
export function fitInto({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Scales an image down by averaging pixels on a white background. The result has four channels and is opaque. */
export function shrink(pixels: Pixels, { width, height }: Size): Pixels {
  const data = new Uint8Array(width * height * 4).fill(255);
  const down = pixels.height / height;
  const across = pixels.width / width;
  const row = new Float32Array(pixels.width * 3);
  for (let y = 0; y < height; y++) {
    row.fill(0);
    visitSteps(y * down, (y + 1) * down, pixels.height, (from, share) => addRow(row, pixels, from, share / down));
    for (let x = 0; x < width; x++) {
      let [red, green, blue] = [0, 0, 0];
      visitSteps(x * across, (x + 1) * across, pixels.width, (from, share) => {
        red += (row[from * 3] ?? 0) * share;
        green += (row[from * 3 + 1] ?? 0) * share;
        blue += (row[from * 3 + 2] ?? 0) * share;
      });
      const at = (y * width + x) * 4;
      data[at] = Math.round(red / across);
      data[at + 1] = Math.round(green / across);
      data[at + 2] = Math.round(blue / across);
    }
  }
  return { width, height, channels: 4, data };
}

/** Rotates and mirrors an image by its EXIF orientation, 1 to 8. */
export function turnUpright(pixels: Pixels, orientation: number): Pixels {
  const { width, height, channels } = pixels;
  const isSideways = orientation >= 5;
  const size = isSideways ? { width: height, height: width } : { width, height };
  const fromRight = [2, 3, 7, 8].includes(orientation);
  const fromBelow = [3, 4, 6, 7].includes(orientation);
  const data = new Uint8Array(pixels.data.length);
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const [column, row] = isSideways ? [y, x] : [x, y];
      const from = (fromBelow ? height - 1 - row : row) * width + (fromRight ? width - 1 - column : column);
      const to = y * size.width + x;
      for (let channel = 0; channel < channels; channel++) {
        data[to * channels + channel] = pixels.data[from * channels + channel] ?? 0;
      }
    }
  }
  return { ...size, channels, data };
}

/** Visits each integer step between `start` and `end`, with the share of the step that lies between them. */
function visitSteps(start: number, end: number, limit: number, visit: (step: number, share: number) => void) {
  for (let step = Math.floor(start); step < end && step < limit; step++) {
    visit(step, Math.min(end, step + 1) - Math.max(start, step));
  }
}

function addRow(sum: Float32Array, { width, channels, data }: Pixels, row: number, share: number) {
  const [green, blue] = channels === 1 ? [0, 0] : [1, 2];
  for (let x = 0, from = row * width * channels; x < width; x++, from += channels) {
    const opaque = channels === 4 ? (data[from + 3] ?? 255) / 255 : 1;
    const white = 255 * (1 - opaque);
    sum[x * 3] = (sum[x * 3] ?? 0) + ((data[from] ?? 0) * opaque + white) * share;
    sum[x * 3 + 1] = (sum[x * 3 + 1] ?? 0) + ((data[from + green] ?? 0) * opaque + white) * share;
    sum[x * 3 + 2] = (sum[x * 3 + 2] ?? 0) + ((data[from + blue] ?? 0) * opaque + white) * share;
  }
}
