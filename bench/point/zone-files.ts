import { decodeKmlFile } from "../../services/geo/src/zone/file/decode-file.ts";
import { parseKml } from "../../services/geo/src/zone/file/read-kml.ts";
import { type Account, BASE } from "../tool/account.ts";
import { compareRounds, type Figure, rounds, timeOf } from "../tool/figure.ts";
import type { Stack } from "../tool/stack.ts";

/** Zones made of KML, beside reading the same files alone. Each round has an account of its own, which may have so many. */
export async function zoneFileFigure(
  { origin }: Stack,
  newAccount: (login: string) => Promise<Account>,
): Promise<Figure> {
  const files = [0, 1].map((number) => Buffer.from(kmlOf(number * PLACEMARKS)));
  let count = 0;
  const taken = await rounds(
    {
      parse: () => timeOf(() => files.map((bytes) => parseKml(decodeKmlFile(bytes), 150)), 3),
      async upload() {
        const account = await newAccount(`zones-${++count}@example.com`);
        const start = performance.now();
        for (const bytes of files) await upload(origin, account, bytes);
        return performance.now() - start;
      },
    },
    4,
  );
  const unit = "ms";
  const described = { name: "zones of 10,000 placemarks in two files of KML", unit, goal: { most: 3 } };
  return compareRounds({ ...described, baseline: { name: "parsing them alone", unit } }, taken.upload, taken.parse);
}

async function upload(origin: string, { hash }: Account, bytes: Buffer) {
  const form = new FormData();
  form.set("hash", hash);
  form.set("dry_run", "false");
  form.set("file", new File([new Uint8Array(bytes)], "zones.kml"));
  const answer = await fetch(`${origin}${BASE}/zone/upload`, { method: "POST", body: form });
  const reply = (await answer.json()) as { success: boolean; list: number[] }; // the contract's answer
  if (!reply.success || reply.list.length !== PLACEMARKS) throw new Error(`zone/upload answered ${answer.status}`);
}

/** Circles, and at every tenth a polygon of twenty corners. */
function kmlOf(first: number): string {
  const placemarks = Array.from({ length: PLACEMARKS }, (_, index) => {
    const number = first + index;
    const [lng, lat] = [8 + (number % 200) / 100, 48 + Math.floor(number / 200) / 100];
    const corners = Array.from({ length: 21 }, (_, corner) => {
      const angle = ((corner % 20) / 20) * 2 * Math.PI;
      return `${(lng + Math.cos(angle) / 300).toFixed(6)},${(lat + Math.sin(angle) / 300).toFixed(6)},0`;
    });
    const ring = `<outerBoundaryIs><LinearRing><coordinates>${corners.join(" ")}</coordinates></LinearRing></outerBoundaryIs>`;
    const shape =
      number % 10 === 0
        ? `<Polygon>${ring}</Polygon>`
        : `<Point><coordinates>${lng.toFixed(6)},${lat.toFixed(6)},0</coordinates></Point>`;
    return `<Placemark><name>Zone ${number}</name><description>Yard ${number}</description>${shape}</Placemark>`;
  });
  return `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>${placemarks.join("\n")}</Document></kml>`;
}

/** The maximum of one file. */
const PLACEMARKS = 5000;
