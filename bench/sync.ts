import { randomUUID } from "node:crypto";
import { type Account, registerTracker } from "./account.ts";
import { compared, type Figure, rounds, timeOf } from "./figure.ts";

const ITEMS = 200;
const CREATED = 20;
const PHOTOS = 3;
/** The beginning of a JPEG. */
const PHOTO = new Uint8Array([0xff, 0xd8, 0xff, ...new Array(1000).fill(0)]);
const PLACE = { lat: 50, lng: 8, address: "Yard 1" };

/** A day's check-ins in one call, against as many calls one after the other. */
export async function pushFigure(account: Account): Promise<Figure> {
  const { id: tracker_id } = await registerTracker(account, "Phone", "864000000000017");
  const params = { tracker_id, location: PLACE, comment: "At the gate" };
  const push = async () => {
    const time = new Date(Date.now() - 60_000).toISOString().slice(0, 19).replace("T", " ");
    const items = Array.from({ length: ITEMS }, () => ({
      uuid: randomUUID(),
      time,
      operation: "checkin/create",
      params,
    }));
    const { results } = await account.call("/sync/push", { items });
    const done = (results as { answer: { success: boolean } }[]).filter(({ answer }) => answer.success);
    if (done.length !== ITEMS) throw new Error(`${done.length} of ${ITEMS} check-ins were stored`);
  };
  const single = async () => {
    for (let number = 0; number < ITEMS; number++) await account.call("/checkin/create", params);
  };
  const taken = await rounds({ push: () => timeOf(push, 1), single: () => timeOf(single, 1) });
  const baseline = { name: "200 calls of checkin/create", unit: "ms" };
  const described = { name: "sync/push of 200 check-ins", unit: "ms" };
  return compared({ ...described, goal: { most: 0.2 }, baseline }, taken.push, taken.single);
}

/** A check-in whose form has three photos, all of them uploaded before, against a new vehicle. */
export async function checkinFigure(account: Account): Promise<Figure> {
  const { id: tracker_id } = await registerTracker(account, "Phone", "864000000000025");
  const field = {
    id: "photos",
    label: "Photos",
    description: "Of the door",
    required: true,
    type: "photo",
    max_files: PHOTOS,
  };
  const template = { label: "Delivery", description: "", submit_in_zone: false, default: false, fields: [field] };
  const { id: template_id } = await account.call("/form/template/create", { template });
  const checkins = async () => {
    const filled: object[] = [];
    for (let number = 0; number < CREATED; number++) {
      const { id: form_id } = await account.call("/checkin/form/create", { tracker_id, template_id });
      const file_ids = await Promise.all(Array.from({ length: PHOTOS }, () => newPhoto(account, Number(form_id))));
      filled.push({ form_id, values: { photos: { type: "photo", file_ids } } });
    }
    return timeOf(
      () => account.call("/checkin/create", { tracker_id, location: PLACE, form_submission: filled.pop() }),
      CREATED,
    );
  };
  const vehicles = () => timeOf(() => account.call("/vehicle/create", { vehicle: { label: "Van" } }), CREATED);
  const taken = await rounds({ checkins, vehicles });
  const baseline = { name: "vehicle/create, p50", unit: "ms" };
  const described = { name: "checkin/create with a form of three photos, p50", unit: "ms" };
  return compared({ ...described, goal: { most: 2 }, baseline }, taken.checkins, taken.vehicles);
}

type Ticket = { file_id: number; url: string; file_field_name: string; fields: Record<string, string> };

async function newPhoto({ call }: Account, form_id: number): Promise<number> {
  const given = { form_id, field_id: "photos", size: PHOTO.byteLength, filename: "photo.jpg" };
  const { value } = await call("/checkin/form/file/create", given);
  const { file_id, url, file_field_name, fields } = value as Ticket; // the contract's ticket
  const body = new FormData();
  for (const [name, text] of Object.entries(fields)) body.set(name, text);
  body.set(file_field_name, new File([PHOTO], "photo.jpg", { type: "image/jpeg" }));
  const answer = await fetch(url, { method: "POST", body });
  if (!answer.ok) throw new Error(`the upload of a photo was answered ${answer.status}`);
  return file_id;
}
