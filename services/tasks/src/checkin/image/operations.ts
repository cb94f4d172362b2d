import * as z from "zod";
import { NEW_FILE, UploadTicket } from "#shared/contract/file/file-ticket.ts";
import { issueTicket } from "../../file/ticket.ts";
import { operation } from "../../operation.ts";

export const createCheckinImage = operation("/checkin/image/create", {
  summary:
    "Reserves space for a photo of a check-in; answers where to upload it. An unused photo is deleted after a day",
  answerAgain: "run",
  input: z.object(NEW_FILE),
  output: z.object({ value: UploadTicket }),
  errors: [268, 271],
  async run(file, { db, env, principal, request: { base_url }, actor }) {
    const image = { ...file, type: "image" } as const;
    return { value: await issueTicket(db, env, principal, image, { owner: "checkin_image", base_url, actor }) };
  },
});

export const operations = [createCheckinImage];
