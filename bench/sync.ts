import { randomUUID } from "node:crypto";
import { systemNow } from "../shared/time/clock.ts";
import { writeUtc } from "../test/tool/call/utc-time.ts";
import { type Account, registerTracker } from "./tool/account.ts";
import { compareRounds, type Figure, rounds, timeOf } from "./tool/figure.ts";

const ITEMS = 200;
const CREATED = 20;
const PHOTOS = 3;
/** The beginning of a JPEG. */
const PHOTO = new Uint8Array([0xff, 0xd8, 0xff, ...new Array(1000).fill(0)]);
const PLACE = { lat: 50, lng: 8, address: "Yard 1" };

/** A day's check-ins in one call, against as many calls one after the other. */
export async function pushFigure(account: Account): Promise<Figure> {
  const { id: tracker_id } = await registerTracker(account, "Phone");
  const params = { tracker_id, location: PLACE, comment: "At the gate" };
  const push = async () => {
    const one = { time: writtenAgo(60_000), operation: "checkin/create", params };
    await pushAll(
      account,
      Array.from({ length: ITEMS }, () => ({ uuid: randomUUID(), ...one })),
    );
  };
  const single = async () => {
    for (let number = 0; number < ITEMS; number++) await account.call("/checkin/create", params);
  };
  const taken = await rounds({ push: () => timeOf(push, 1), single: () => timeOf(single, 1) });
  const baseline = { name: "200 calls of checkin/create", unit: "ms" };
  const described = { name: "sync/push of 200 check-ins", unit: "ms" };
  return compareRounds({ ...described, goal: { most: 0.2 }, baseline }, taken.push, taken.single);
}

/** A day's deliveries in one call, of each the form that is issued and what it is filled in with, against as many calls. */
export async function mixedPushFigure(account: Account): Promise<Figure> {
  const { id: tracker_id } = await registerTracker(account, "Phone");
  const field = {
    id: "name",
    label: "Name",
    description: "Who",
    required: true,
    type: "text",
    min_length: 1,
    max_length: 9,
  };
  const template = { label: "Receipt", description: "", submit_in_zone: false, default: false, fields: [field] };
  const { id: template_id } = await account.call("/form/template/create", { template });
  const work = async () => {
    const items: { operation: string; params: object }[] = [];
    for (let number = 0; number < ITEMS / 2; number++) {
      const task = { label: "Parcel", description: "", location: { ...PLACE, radius: 100 }, tracker_id, ...OF_TODAY };
      const { id: task_id } = await account.call("/task/create", { task });
      const values = { name: { type: "text", value: "A. Smith" } };
      items.push({ operation: "/task/form/create", params: { task_id, template_id } });
      items.push({ operation: "/task/form/values/update", params: { task_id, values, location: PLACE } });
    }
    return items;
  };
  const push = async () => {
    const time = writtenAgo(60_000);
    const items = (await work()).map((one) => ({ uuid: randomUUID(), time, ...one }));
    return timeOf(() => pushAll(account, items), 1);
  };
  const single = async () => {
    const items = await work();
    return timeOf(async () => {
      for (const { operation, params } of items) await account.call(operation, params);
    }, 1);
  };
  const taken = await rounds({ push, single });
  const baseline = { name: "200 calls of task/form/create and values/update", unit: "ms" };
  const described = { name: "sync/push of 100 forms, issued and filled in turn", unit: "ms" };
  return compareRounds({ ...described, goal: { most: 0.2 }, baseline }, taken.push, taken.single);
}

async function pushAll(account: Account, items: object[]) {
  const { results } = await account.call("/sync/push", { items });
  const done = (results as { answer: { success: boolean } }[]).filter(({ answer }) => answer.success);
  if (done.length !== items.length) throw new Error(`${done.length} of ${items.length} items were done`);
}

/** In the zone of the accounts measured. */
function writtenAgo(ms: number) {
  return writeUtc(systemNow() - ms);
}

const OF_TODAY = { from: writtenAgo(86_400_000), to: writtenAgo(-86_400_000) };

/** A check-in whose form has three photos, all of them uploaded before, against a new vehicle. */
export async function checkinFigure(account: Account): Promise<Figure> {
  const { id: tracker_id } = await registerTracker(account, "Phone");
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
  return compareRounds({ ...described, goal: { most: 2 }, baseline }, taken.checkins, taken.vehicles);
}

type Ticket = { file_id: number; url: string; file_field_name: string; fields: Record<string, string> };

async function newPhoto({ call }: Account, form_id: number): Promise<number> {
  const parameters = { form_id, field_id: "photos", size: PHOTO.byteLength, filename: "photo.jpg" };
  const { value } = await call("/checkin/form/file/create", parameters);
  const { file_id, url, file_field_name, fields } = value as Ticket; // the contract's ticket
  const body = new FormData();
  for (const [name, text] of Object.entries(fields)) body.set(name, text);
  body.set(file_field_name, new File([PHOTO], "photo.jpg", { type: "image/jpeg" }));
  const answer = await fetch(url, { method: "POST", body });
  if (!answer.ok) throw new Error(`the upload of a photo was answered ${answer.status}`);
  return file_id;
}
