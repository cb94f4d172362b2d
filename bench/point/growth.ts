import { isApiError } from "#shared/error/api-error.ts";
import { simplify } from "../../services/geo/src/point/simplify.ts";
import { decodeKmlFile } from "../../services/geo/src/zone/file/decode-file.ts";
import { parseKml } from "../../services/geo/src/zone/file/read-kml.ts";
import { documentOf, SHAPES } from "../../test/tool/document/kml-shapes.ts";
import { compareRounds, type Figure, rounds, timeOf } from "../tool/figure.ts";

/** Times of large inputs beside small ones. Unit tests count the steps of our loops; here libraries take part too. */
export async function growthFigures(): Promise<Figure[]> {
  return [await kmlFigure(), await simplifyFigure()];
}

/** The shape of document whose time grows most. */
async function kmlFigure(): Promise<Figure> {
  const figures: Figure[] = [];
  for (const [shape, made] of SHAPES) {
    const [large, small] = [4, 1].map((mebibytes) => documentOf(made(mebibytes * MEBIBYTE)));
    const taken = await rounds(
      { large: () => timeOf(() => read(large), 1), small: () => timeOf(() => read(small), 1) },
      3,
    );
    const described = { name: `4 MiB of KML, ${shape}`, unit: "ms", goal: { most: 8 } };
    figures.push(
      compareRounds({ ...described, baseline: { name: "1 MiB of it", unit: "ms" } }, taken.large, taken.small),
    );
  }
  return figures.reduce((worst, figure) => (figure.ratio > worst.ratio ? figure : worst));
}

async function simplifyFigure(): Promise<Figure> {
  const [large, small] = [zigzag(80_000), zigzag(5_000)];
  const taken = await rounds({
    large: () => timeOf(() => simplify(large, large.length / 2), 1),
    small: () => timeOf(() => simplify(small, small.length / 2), 5),
  });
  const described = { name: "a zigzag of 80,000 points simplified", unit: "ms", goal: { most: 48 } };
  return compareRounds({ ...described, baseline: { name: "one of 5,000", unit: "ms" } }, taken.large, taken.small);
}

/** Reads a file, or finds out that it is refused. */
function read(bytes: Uint8Array | undefined) {
  try {
    parseKml(decodeKmlFile(bytes ?? new Uint8Array()), 150);
  } catch (thrown) {
    if (!isApiError(thrown)) throw thrown;
  }
}

/** A track that the search for its furthest vertex splits at its end each time. */
function zigzag(length: number) {
  return Array.from({ length }, (_, index) => ({
    lat: (index % 2 === 0 ? 60 : -60) * (1 - index / length),
    lng: index / length,
  }));
}

const MEBIBYTE = 1024 * 1024;
