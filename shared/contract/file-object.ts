import { z } from "zod";
import { dateTime } from "../operation/fields.ts";
import { FILE_TYPES } from "./file-ticket.ts";

/** An uploaded file, as the things that have files show it. */
export const FileObject = z.object({
  id: z.int(),
  /** Where it is kept: there is one such place. */
  storage_id: z.int(),
  /** Who asked for the ticket. */
  user_id: z.int(),
  type: z.enum(FILE_TYPES),
  created: dateTime(),
  uploaded: dateTime(),
  name: z.string(),
  /** Bytes. */
  size: z.int(),
  mime_type: z.string(),
  metadata: z.looseObject({}),
  state: z.literal("uploaded"),
  download_url: z.string(),
});
export type FileObject = z.output<typeof FileObject>;
