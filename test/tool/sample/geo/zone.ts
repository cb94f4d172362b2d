import type { Account } from "../../call/account.ts";
import type { Sample } from "../sample.ts";

export const ZONE_SAMPLES: Record<string, Sample[]> = {
  "/zone/create": [
    { parameters: ({ tag_id }) => ({ zone: { ...CIRCLE, tags: [tag_id] } }) },
    { parameters: () => ({ zone: { type: "sausage", label: "Road", radius: 50 }, points: CORNERS }) },
  ],
  "/zone/read": [{ parameters: ({ zone_id }) => ({ zone_id, with_points: true }) }],
  "/zone/list": [
    { parameters: () => ({}) },
    { parameters: ({ tag_id }) => ({ filter: "yard", tag_ids: [tag_id], with_points: true, limit: 1 }) },
  ],
  "/zone/update": [
    { parameters: ({ zone_id: id, tag_id }) => ({ zone: { ...YARD, id, tags: [tag_id], points: CORNERS } }) },
  ],
  "/zone/delete": [
    { parameters: ({ zone_id }) => ({ zone_id }), before: newZone },
    {
      parameters: ({ zone_id }) => ({ zone_ids: [zone_id] }),
      before: async (account) => ({ zone_ids: [(await newZone(account)).zone_id, (await newZone(account)).zone_id] }),
    },
  ],
  "/zone/search_location": [{ parameters: () => ({ location: { lat: 40, lng: 8 } }) }],
  "/zone/point/list": [{ parameters: ({ zone_id }) => ({ zone_id, count: 3 }) }],
  "/zone/point/update": [{ parameters: ({ zone_id }) => ({ zone_id, points: CORNERS }) }],
  "/zone/batch_convert": [
    { parameters: () => ({ batch: "Yard\tRed St 1\t40\t8\t\tCold" }) },
    { parameters: ({ file_id }) => ({ file_id, fields: ["label", "tags"] }) },
  ],
  "/zone/upload": [{ parameters: () => ({ file: new File([KML], "zones.kml"), dry_run: false }) }],
  "/zone/download": [
    { parameters: () => ({}) },
    { parameters: ({ zone_id }) => ({ zone_ids: [zone_id], format: "kmz" }) },
  ],
};

const CIRCLE = { type: "circle", label: "Depot", center: { lat: 40, lng: 8 }, radius: 200 };

const CORNERS = [
  { lat: 40, lng: 8, node: true },
  { lat: 40, lng: 9 },
  { lat: 41, lng: 9 },
  { lat: 41, lng: 8 },
];

const KML = `<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><name>Gate</name>
  <Point><coordinates>8,40</coordinates></Point></Placemark></kml>`;

const YARD = { type: "polygon", label: "Yard" };

export async function newZone(account: Account) {
  const { id } = await account.must("/zone/create", { zone: YARD, points: CORNERS });
  return { zone_id: Number(id) };
}
