import * as z from "zod";
import { FILE_TYPES, NEW_FILE, UploadTicket } from "#shared/contract/file/file-ticket.ts";
import { storeTicket } from "#shared/ticket-file/ticket.ts";
import { operation } from "../../operation.ts";
import { insertFile } from "./queries.ts";

export const createServiceTaskFile = operation("/vehicle/service_task/file/create", {
  summary: "Reserves space for a file of service tasks; answers where to upload it",
  right: "vehicle_update",
  answerAgain: "run",
  input: z.object({ ...NEW_FILE, type: z.enum(FILE_TYPES).default("file") }),
  output: z.object({ value: UploadTicket }),
  errors: [268, 271],
  async run(file, { db, env, principal, request, actor }) {
    const thing = { owner: "service_task", base_url: request.base_url } as const;
    const created = await env.FILES.createTicket(principal, file, thing);
    const payload = { size: file.size };
    const value = await storeTicket(env.FILES, created, (kept) => insertFile(db, principal, kept, payload, actor));
    return { value };
  },
});

export const operations = [createServiceTaskFile];
