// Uploads a file with tus-js-client, which goes on where it stopped after an interruption. Argument: the file.
import { createReadStream, statSync } from "node:fs";
import * as tus from "tus-js-client";
import { post } from "./post.js";

const path = process.argv[2];
const { value: ticket } = await post("/vehicle/service_task/file/create", { size: statSync(path).size });
const upload = new tus.Upload(createReadStream(path), {
  uploadUrl: `${ticket.url}?token=${ticket.fields.token}`,
  uploadSize: statSync(path).size,
  retryDelays: [0, 1000, 5000],
  onSuccess: () => console.log(`file ${ticket.file_id}`),
});
upload.start();
