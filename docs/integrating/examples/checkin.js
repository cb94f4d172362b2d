// Checks in with a filled form, a photo and a signature. Arguments: a tracker, a form template, a photo, a picture of a signature.
import { readFileSync } from "node:fs";
import { post } from "./post.js";

const [tracker_id, template_id] = process.argv.slice(2, 4).map(Number);
const [photo, signature] = process.argv.slice(4).map((path) => new Blob([readFileSync(path)]));

/** Uploads a file for a ticket. */
async function upload({ url, fields, file_field_name }, file) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append(file_field_name, file, "file");
  const answer = await fetch(url, { method: "POST", body });
  if (!answer.ok) throw new Error(await answer.text());
}

const { id: form_id } = await post("/checkin/form/create", { tracker_id, template_id });
const { value: door } = await post("/checkin/image/create", { size: photo.size, filename: "door.jpg" });
await upload(door, photo);
const field = { form_id, field_id: "sign", size: signature.size };
const { value: sign } = await post("/checkin/form/file/create", field);
await upload(sign, signature);

const { id } = await post("/checkin/create", {
  tracker_id,
  location: { lat: 52.5, lng: 13.4, address: "Dock 4" },
  comment: "At the gate",
  file_ids: [door.file_id],
  form_submission: {
    form_id,
    values: { name: { type: "text", value: "A. Smith" }, sign: { type: "file", file_id: sign.file_id } },
  },
});
console.log(`check-in ${id}`);
