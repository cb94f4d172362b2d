import * as z from "zod";
import { dateTime, text } from "../../operation/fields.ts";

/** A caller's description of a file to upload. */
export const NEW_FILE = {
  /** Bytes that the upload may have. */
  size: z.int().min(1),
  filename: text(255).optional(),
  metadata: z
    .record(z.string(), z.unknown())
    .refine((metadata) => JSON.stringify(metadata).length <= METADATA_LENGTH, { error: "is too large" })
    .optional(),
};
export const FILE_TYPES = ["image", "file"] as const;
/** `created`: no data yet; `in_progress`: partly uploaded; `deleted`: about to be removed. */
export const FILE_STATES = ["created", "in_progress", "uploaded", "deleted"] as const;
export type FileType = (typeof FILE_TYPES)[number];
export type NewFile = z.output<z.ZodObject<typeof NEW_FILE>> & { type: FileType };

/** Things of the tasks service that have files. */
export const WORK_FILE_OWNERS = ["checkin_image", "checkin_form", "task_form"] as const;
export type WorkFileOwner = (typeof WORK_FILE_OWNERS)[number];
/** All things that have files; `service_task` belongs to fleet. */
export const FILE_OWNERS = ["service_task", ...WORK_FILE_OWNERS] as const;
export type FileOwner = (typeof FILE_OWNERS)[number];

/** The kind of thing that the file is for; `base_url` is the address of the call, from which links are made. */
export type Purpose = { owner: FileOwner; base_url: string };

/** Files of an account by id; links are made from `base_url`, with null there are none. */
export type FileSearch = { account_id: number; ids: number[]; base_url: string | null };

/** The address and the fields of the upload. */
export const UploadTicket = z.object({
  file_id: z.int(),
  url: z.string(),
  expires: dateTime(),
  file_field_name: z.string(),
  fields: z.record(z.string(), z.string()),
});

export type Ticket = z.output<typeof UploadTicket>;

/** A ticket, and the moment (UTC milliseconds) at which its file is removed unless a thing refers to it. */
export type IssuedTicket = { ticket: Ticket; kept_until: number };

/** A file, and the moment (UTC milliseconds) at which it is removed unless a thing refers to it. */
export type KeptFile = { id: number; kept_until: number };

/** The content of an uploaded file; `size` in bytes. */
export type FileContent = { name: string; size: number; mime_type: string };

/** A file whose upload is complete. */
export type UploadedFile = KeptFile & FileContent;

const METADATA_LENGTH = 2000;
