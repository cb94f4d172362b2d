import { star } from "../../test/tool/point/rules.ts";
import { type Account, BASE } from "./account.ts";

export type Geometry = { type: "Point" | "Polygon"; coordinates: unknown };

/** Stars around Munich that all contain most of a van's drives. */
export function starsAround(count: number): Geometry[] {
  return Array.from({ length: count }, (_, number) => {
    const corners = (star(11.575 + number / 1e4, 48.137, 0.35, CORNERS).points ?? []).map(([lng, lat]) => [lng, lat]);
    return { type: "Polygon", coordinates: [[...corners, corners[0]]] };
  });
}

/** Stores zones by files of as many as one may have. */
export async function uploadZones(origin: string, { hash }: Account, geometries: Geometry[]): Promise<number[]> {
  const ids: number[] = [];
  for (let start = 0; start < geometries.length; start += ZONES_PER_FILE) {
    const features = geometries.slice(start, start + ZONES_PER_FILE).map((geometry, index) => {
      return { type: "Feature", geometry, properties: { name: `Zone ${start + index}` } };
    });
    const form = new FormData();
    form.set("hash", hash);
    form.set("dry_run", "false");
    form.set("file", new File([JSON.stringify({ type: "FeatureCollection", features })], "zones.json"));
    const answer = await fetch(`${origin}${BASE}/zone/upload`, { method: "POST", body: form });
    const reply = (await answer.json()) as { success: boolean; list: number[] }; // the contract's answer
    if (!reply.success) throw new Error(`zone/upload answered ${answer.status}`);
    ids.push(...reply.list);
  }
  return ids;
}

/** The most corners of a polygon. */
export const CORNERS = 100;
const ZONES_PER_FILE = 5000;
