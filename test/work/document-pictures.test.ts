import { beforeAll, expect, test } from "vitest";
import { systemNow, writeLocal } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import { type Account, newAccount, type Reply } from "../tool/call/account.ts";
import { upload } from "../tool/call/uploads.ts";
import { turnedPhoto } from "../tool/document/pictures.ts";
import { PNG } from "../tool/document/png.ts";
import { waitUntil } from "../tool/wait.ts";

const inDays = (days: number) => writeLocal(systemNow() + days * DAY_MS, "Europe/Berlin");
const dock = { lat: 52.5, lng: 13.4, address: "Dock 4" };
const common = { label: "Field", description: "What it is", required: false };
const fields = [
  { ...common, id: "photos", label: "Door", type: "photo", max_files: 3 },
  { ...common, id: "sign", label: "Signed by", type: "signature" },
];
const note = { label: "Note", description: "", submit_in_zone: false, default: false, fields };
const photo = () => new File([new Uint8Array(turnedPhoto(6))], "door.jpg");

let account: Account;
let template_id: number;
beforeAll(async () => {
  account = await newAccount();
  template_id = (await account.must("/form/template/create", { template: note })).id;
});

/** A file that has come in, by a ticket of this path. */
async function uploadPicture(path: string, given: object, file: File): Promise<number> {
  const { value } = await account.must(path, { ...given, size: file.size });
  await upload(value, file);
  return value.file_id;
}

/** How many pictures the document shows, once there are so many: previews are made a moment after an upload. */
async function picturesIn(path: string, parameters: object, count: number): Promise<number> {
  const shown = async () => {
    const { file }: Reply = await account.must(path, parameters);
    return file.split("/Subtype /Image").length - 1;
  };
  return waitUntil(`the document shows ${count} pictures`, shown, (found) => found >= count);
}

test("the PDF of a form shows its photos and its signature, and nothing that it does not name", async () => {
  const task = { label: "Parcel", description: "", location: { ...dock, radius: 100 }, from: inDays(0), to: inDays(1) };
  const given = { task: { ...task, form_template_id: template_id }, create_form: true };
  const { id: task_id } = await account.must("/task/create", given);
  const newFile = (field_id: string, file = photo()) =>
    uploadPicture("/task/form/file/create", { task_id, field_id }, file);
  const file_ids = [await newFile("photos"), await newFile("photos")];
  await newFile("photos");
  const file_id = await newFile("sign", new File([PNG], "sign.png"));
  const values = { photos: { type: "photo", file_ids }, sign: { type: "file", file_id } };
  await account.must("/task/form/values/update", { task_id, values, location: dock });
  expect(await picturesIn("/task/form/download", { task_id, format: "pdf" }, 3)).toBe(3);
  const { value } = await account.must("/task/form/read", { task_id });
  expect(await picturesIn("/form/download", { id: value.id, format: "pdf" }, 3)).toBe(3);
  for (const format of ["csv", "xls"]) {
    const { file } = await account.must("/task/form/download", { task_id, format });
    expect(file.length).toBeGreaterThan(0);
  }
});

test("the PDF and the XLSX of check-ins show their photos", async () => {
  const { id: tracker_id } = await account.newTracker();
  const file_ids = [
    await uploadPicture("/checkin/image/create", {}, photo()),
    await uploadPicture("/checkin/image/create", {}, photo()),
  ];
  await account.must("/checkin/create", { tracker_id, location: dock, file_ids });
  expect(await picturesIn("/checkin/list", { format: "pdf" }, 2)).toBe(2);
  const { file } = await account.must("/checkin/list", { format: "xlsx" });
  expect(new Set(file.match(/xl\/media\/image\d\.jpeg/g))).toEqual(
    new Set([1, 2].map((n) => `xl/media/image${n}.jpeg`)),
  );
});
