import type { FleetClient } from "../../../clients/typescript/src/client.ts";
import { findOrCreate } from "../client.ts";
import type { Drives } from "../drive/drives.ts";
import { positionOf, SITES, type SiteKey } from "../drive/sites.ts";
import { deliveryValues, inspectionValues, type TemplateIds } from "./forms.ts";
import { drawPicture } from "./picture.ts";
import { SCENES } from "./scenes.ts";
import type { FleetTracker } from "./trackers.ts";

type Api = { client: FleetClient; baseUrl: string };
type Submission = { template: keyof TemplateIds; values: Record<string, object> };
type PlannedCheckin = { key: string; site: SiteKey; comment: string; photo?: string; form?: Submission };

const PLAN: PlannedCheckin[] = [
  { key: "van-1", site: "schwabing", comment: "Parcels left at the gate", photo: "gate.png" },
  { key: "cold-1", site: "neuhausen", comment: "Handed over to the kitchen", photo: "kitchen.png" },
  {
    ...{ key: "van-3", site: "neuhausen", comment: "Delivered to the reception" },
    form: { template: "delivery", values: deliveryValues("S. Vogt", 3) },
  },
  { key: "service-1", site: "dachauer", comment: "Sensor replaced, door closes again", photo: "door.png" },
  {
    ...{ key: "truck-4", site: "depot", comment: "Inspection before the first trip", photo: "truck.png" },
    form: { template: "inspection", values: inspectionValues(4, "Left mirror scratched") },
  },
  { key: "cold-2", site: "schwabing", comment: "Gate was closed, waited ten minutes" },
  { key: "istria-1", site: "vineyard", comment: "Road is muddy after the rain", photo: "road.png" },
  {
    ...{ key: "istria-2", site: "branch", comment: "Cold room checked" },
    form: { template: "inspection", values: inspectionValues(5, "No damage") },
  },
];

/** Creates the check-ins: their time is that of their creation. */
export async function createCheckins(api: Api, fleet: FleetTracker[], drives: Drives, templates: TemplateIds) {
  const { client } = api;
  const { list } = await client.call("/checkin/list");
  for (const { key, site, comment, photo, form } of PLAN) {
    const tracker_id = fleet.find(({ vehicle }) => vehicle.key === key)?.tracker_id;
    if (!tracker_id) continue;
    await findOrCreate(
      list,
      (checkin) => checkin.comment === comment,
      async () => {
        const location = { ...positionOf(site, drives), address: SITES[site].address };
        const file_ids = photo ? [await uploadPhoto(api, photo)] : [];
        const form_submission = form && (await newSubmission(client, tracker_id, form, templates));
        return client.call("/checkin/create", { tracker_id, location, comment, file_ids, form_submission });
      },
    );
  }
}

async function uploadPhoto({ client, baseUrl }: Api, name: string): Promise<number> {
  const photo = new Blob([drawPicture(SCENES[name] ?? [])]);
  const { value } = await client.call("/checkin/image/create", { size: photo.size, filename: name });
  // The ticket names the public address, which this machine need not reach.
  const { pathname, search } = new URL(value.url);
  const ticket = { ...value, url: new URL(pathname + search, baseUrl).href };
  return (await client.upload(ticket, photo)).file_id;
}

async function newSubmission(client: FleetClient, tracker_id: number, form: Submission, templates: TemplateIds) {
  const template_id = templates[form.template];
  const { id: form_id } = await client.call("/checkin/form/create", { tracker_id, template_id });
  return { form_id, values: form.values };
}
