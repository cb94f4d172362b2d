import { decode, encodeJpeg } from "../services/files/src/image/codec.ts";
import { renderPreviews } from "../services/files/src/image/preview.ts";
import { CODECS } from "../test/tool/document/pictures.ts";
import { compareRounds, type Figure, rounds, timeOf } from "./tool/figure.ts";

/** A phone's photo decoded by the Worker's own code, compared with full decoding by the library. */
export async function previewsFigure(): Promise<Figure> {
  const content = encodeJpeg(CODECS, newPhoto(4000, 3000), 85);
  const milliseconds = await rounds({
    decode: () => timeOf(() => decode("jpeg", content, CODECS, { width: 4000, height: 3000 }), 3),
    previews: () => timeOf(() => renderPreviews(content, "image/jpeg", CODECS), 3),
  });
  const baseline = { name: "decoding it whole", unit: "ms" };
  const figure = { name: "both previews of a 12-megapixel JPEG", unit: "ms", goal: { most: 2 }, baseline };
  return compareRounds(figure, milliseconds.previews, milliseconds.decode);
}

/** Slopes with some grain, so that it takes as many bytes as a photograph. */
function newPhoto(width: number, height: number) {
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const grain = ((x * 7919 + y * 104_729) % 97) / 3;
    data[pixel * 4] = 112 + 100 * Math.sin(x / 80) + grain;
    data[pixel * 4 + 1] = 112 + 100 * Math.cos(y / 60) + grain;
    data[pixel * 4 + 2] = 64 + ((x + y) % 128);
  }
  return { width, height, channels: 4 as const, data };
}
