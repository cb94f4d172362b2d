import { z } from "zod";
import { dateTime, text } from "../operation/fields.ts";

/** What callers say of a file that they are going to upload. */
export const NEW_FILE = {
  /** Bytes to be held for it. */
  size: z.int().min(1),
  filename: text(255).optional(),
  metadata: z
    .record(z.string(), z.unknown())
    .refine((metadata) => JSON.stringify(metadata).length <= METADATA_LENGTH, { error: "is too large" })
    .optional(),
};
export const FILE_TYPES = ["image", "file"] as const;
/** `created`: a ticket; `in_progress`: something of it has come in; `deleted`: it is about to go. */
export const FILE_STATES = ["created", "in_progress", "uploaded", "deleted"] as const;
export type FileType = (typeof FILE_TYPES)[number];
export type NewFile = z.output<z.ZodObject<typeof NEW_FILE>> & { type: FileType };

/** What has files of tasks' Worker. */
export const WORK_FILE_OWNERS = ["checkin_image", "checkin_form", "task_form"] as const;
export type WorkFileOwner = (typeof WORK_FILE_OWNERS)[number];
/** What has files: a service task is fleet's. */
export const FILE_OWNERS = ["service_task", ...WORK_FILE_OWNERS] as const;
export type FileOwner = (typeof FILE_OWNERS)[number];

/** What kind of thing the file is for; `base_url` is the one of the call, for links. */
export type Purpose = { owner: FileOwner; base_url: string };

/** Files of the account by id; `base_url` is the one of the call, for links: with null there are none. */
export type FileSearch = { account_id: number; ids: number[]; base_url: string | null };

/** Where and how to upload it. */
export const UploadTicket = z.object({
  file_id: z.int(),
  url: z.string(),
  expires: dateTime(),
  file_field_name: z.string(),
  fields: z.record(z.string(), z.string()),
});

export type Ticket = z.output<typeof UploadTicket>;

/** A ticket with the moment, in UTC milliseconds, at which a file goes that nothing has come to need. */
export type IssuedTicket = { ticket: Ticket; kept_until: number };

/** A file by its id, with the same moment. */
export type KeptFile = { id: number; kept_until: number };

/** What a file has turned out to be; `size` in bytes. */
export type FileContent = { name: string; size: number; mime_type: string };

/** A file that has come in. */
export type UploadedFile = KeptFile & FileContent;

const METADATA_LENGTH = 2000;
