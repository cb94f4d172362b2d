import { z } from "zod";
import { dateTime } from "../operation/fields.ts";
import { FILE_STATES, FILE_TYPES } from "./file-ticket.ts";

/**
 * How it stands with the previews of an image: to be made; made; not to be had, because it is of a kind that is not decoded, larger
 * than there is room for, or broken.
 */
export const PREVIEW_STATES = ["waiting", "made", "unsupported", "too_large", "unreadable"] as const;
export type PreviewState = (typeof PREVIEW_STATES)[number];

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
  /** `orientation` of an image is what EXIF calls so, 1 to 8. */
  metadata: z.looseObject({}),
  state: z.enum(FILE_STATES),
  /** Null until it is uploaded. */
  download_url: z.string().nullable(),
  /** Of an image, the smaller one first: upright, into squares of 200 and 800 pixels. Null where there are none yet, or none. */
  previews: z.array(z.object({ download_url: z.string() })).nullable(),
  /** Of an image alone. */
  preview_state: z.enum(PREVIEW_STATES).optional(),
});
export type FileObject = z.output<typeof FileObject>;
