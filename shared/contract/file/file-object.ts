import * as z from "zod";
import { dateTime } from "../../operation/fields.ts";
import { FILE_STATES, FILE_TYPES } from "./file-ticket.ts";

/** State of an image's previews: to be made; made; or impossible because of its type, its size or broken content. */
export const PREVIEW_STATES = ["waiting", "made", "unsupported", "too_large", "unreadable"] as const;
export type PreviewState = (typeof PREVIEW_STATES)[number];

/** A file in an answer of the API, from the creation of its ticket on. */
export const FileObject = z.object({
  id: z.int(),
  /** The storage; there is only one. */
  storage_id: z.int(),
  /** The user who requested the ticket. */
  user_id: z.int(),
  type: z.enum(FILE_TYPES),
  created: dateTime(),
  /** Null until the upload is complete. */
  uploaded: dateTime().nullable(),
  name: z.string(),
  /** Bytes; before the upload, the size that the ticket allows. */
  size: z.int(),
  mime_type: z.string(),
  /** For images, `orientation` is the EXIF orientation, 1 to 8. */
  metadata: z.looseObject({}),
  state: z.enum(FILE_STATES),
  /** Null until the upload is complete. */
  download_url: z.string().nullable(),
  /**
   * Previews of an image, upright, within squares of 200 and 800 pixels, the smaller first. Null when there are none
   * (yet).
   */
  previews: z.array(z.object({ download_url: z.string() })).nullable(),
  /** Images only. */
  preview_state: z.enum(PREVIEW_STATES).optional(),
});
export type FileObject = z.output<typeof FileObject>;
