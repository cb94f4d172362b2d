import { beforeAll, expect, test } from "vitest";
import { systemNow, writeLocal } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import { type Account, feed, must, newAccount, operatorHash, type Reply } from "../tool/call/account.ts";
import { newSubUser } from "../tool/call/mailbox.ts";
import { stack } from "../tool/system/stack.ts";

const inDays = (days: number) => writeLocal(systemNow() + days * DAY_MS, "Europe/Berlin");
const dock = { lat: 52.5, lng: 13.4, address: "Dock 4" };
const parcel = { location: { ...dock, radius: 100 }, label: "Parcel", description: "", from: inDays(0), to: inDays(1) };
const name = {
  id: "name",
  type: "text",
  label: "Name",
  description: "Who",
  required: false,
  min_length: 1,
  max_length: 9,
};
const note = { label: "Note", description: "", submit_in_zone: false, default: false, fields: [name] };
const corners = [
  { lat: 52.49, lng: 13.39 },
  { lat: 52.49, lng: 13.41 },
  { lat: 52.51, lng: 13.41 },
  { lat: 52.51, lng: 13.39 },
];

let account: Account;
let template_id: number;
let [wide, narrow, district]: number[] = [];
beforeAll(async () => {
  account = await newAccount();
  template_id = (await account.must("/form/template/create", { template: note })).id;
  wide = await newPlace("Harbor", 500);
  narrow = await newPlace("Gate", 50);
  await newPlace("Elsewhere", 500, { lat: 52.6 });
  const zone = { type: "polygon", label: "District", address: "", color: "27A9E3" };
  district = (await account.must("/zone/create", { zone, points: corners })).id;
});

async function newPlace(label: string, radius: number, more: object = {}): Promise<number> {
  const place = { label, location: { ...dock, ...more, radius }, description: "", fields: {}, tags: [] };
  return (await account.must("/place/create", { place })).id;
}

async function newTask(more: object = {}): Promise<number> {
  const task = { ...parcel, form_template_id: template_id, ...more };
  return (await account.must("/task/create", { task, create_form: true })).id;
}

async function submitForm(more: object = {}, given: object = {}) {
  const task_id = await newTask(more);
  await account.must("/task/form/values/update", { task_id, values: {}, ...given });
  return task_id;
}

async function placesOf(task_id: number, more: object = {}): Promise<Reply> {
  const search = { task_ids: [task_id], ascending: true, include_unsubmitted: true };
  const { list } = await account.must("/task/form/list", { ...search, ...more });
  return list[0].submit_places;
}

test("a form is listed with the places and zones that held where it was submitted, the smaller first", async () => {
  const task_id = await submitForm({}, { location: dock });
  const places = [
    { id: narrow, label: "Gate" },
    { id: wide, label: "Harbor" },
  ];
  const around = { location: dock, places, zones: [{ id: district, label: "District" }] };
  expect(await placesOf(task_id)).toEqual(around);
  await account.must("/task/form/values/update", { task_id, values: {} });
  expect(await placesOf(task_id)).toEqual(around);
  const far = { lat: 52.7, lng: 13.4, address: "" };
  await account.must("/task/form/values/update", { task_id, values: {}, location: far });
  expect(await placesOf(task_id)).toEqual({ location: far, places: [], zones: [] });
});

test("places around a form keep their labels of the submission, also after they are deleted", async () => {
  const id = await newPlace("Old name", 20, { lat: 52.8 });
  const location = { lat: 52.8, lng: 13.4, address: "" };
  const task_id = await submitForm({}, { location });
  const { value: place } = await account.must("/place/read", { place_id: id });
  await account.must("/place/update", { place: { ...place, label: "New name" } });
  expect((await placesOf(task_id)).places).toEqual([{ id, label: "Old name" }]);
  await account.must("/place/delete", { place_id: id });
  expect((await placesOf(task_id)).places).toEqual([{ id, label: "Old name" }]);
});

test("a form without a place of submission has none around", async () => {
  expect(await placesOf(await newTask())).toBe(null);
  expect(await placesOf(await submitForm())).toBe(null);
});

test("a sub-user sees those places and zones around a form that it may see, also those bound to it later", async () => {
  const task_id = await submitForm({}, { location: dock });
  const { id: subuser_id, hash } = await newSubUser(account);
  expect(await placesOf(task_id, { hash })).toEqual({ location: dock, places: [], zones: [] });
  await account.must("/subuser/places/bind", { subuser_id, place_ids: [wide] });
  expect(await placesOf(task_id, { hash })).toMatchObject({ places: [{ id: wide }], zones: [] });
  await account.must("/subuser/zones/bind", { subuser_id, access_to_all: true });
  expect(await placesOf(task_id, { hash })).toMatchObject({ places: [{ id: wide }], zones: [{ id: district }] });
});

test("a form that was submitted without a position is listed with the areas of the tracker's last one after the sweep", async () => {
  const { id: tracker_id, source } = await account.newTracker();
  await feed(source.device_id, [{ time: systemNow() - 1000, lat: dock.lat, lng: dock.lng }]);
  const task_id = await submitForm({ tracker_id });
  await stack.fireCron("tasks");
  expect(await placesOf(task_id)).toMatchObject({ location: { ...dock, address: "" }, places: [{}, {}], zones: [{}] });
});

test("a form that is submitted for a clone has the last position of the clone's tracker", async () => {
  const owner = await newAccount();
  const { id: tracker_id, source } = await owner.newTracker();
  const shown = { hash: await operatorHash(), tracker_id, user_id: account.id, label: "Rented" };
  const { id: clone_id } = await must("/panel/tracker/clone", shown);
  const zoned = { ...note, submit_in_zone: true };
  const { id: form_template_id } = await account.must("/form/template/create", { template: zoned });
  const task_id = await newTask({ tracker_id: clone_id, form_template_id });
  const submit = () => account.call("/task/form/values/update", { task_id, values: {} });
  expect((await submit()).status.code).toBe(7);
  await feed(source.device_id, [{ time: systemNow() - 1000, lat: dock.lat, lng: dock.lng }]);
  expect((await submit()).success).toBe(true);
  const { value } = await account.must("/task/form/read", { task_id });
  expect(value.submit_location).toEqual({ ...dock, address: "" });
});
