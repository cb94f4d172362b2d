import { z } from "zod";
import { dateTime } from "../operation/fields.ts";
import { FILE_STATES, FILE_TYPES } from "./file-ticket.ts";

/** A file, from its ticket on, as the things that have files show it. */
export const FileObject = z.object({
  id: z.int(),
  /** Where it is kept: there is one such place. */
  storage_id: z.int(),
  /** Who asked for the ticket. */
  user_id: z.int(),
  type: z.enum(FILE_TYPES),
  created: dateTime(),
  /** Null until it is. */
  uploaded: dateTime().nullable(),
  name: z.string(),
  /** Bytes; until it is uploaded, as many as it may have. */
  size: z.int(),
  mime_type: z.string(),
  metadata: z.looseObject({}),
  state: z.enum(FILE_STATES),
  /** Null until it is uploaded. */
  download_url: z.string().nullable(),
});
export type FileObject = z.output<typeof FileObject>;
