import { z } from "zod";
import { FileObject } from "#shared/contract/file-object.ts";
import { dateTime, text } from "#shared/operation/fields.ts";
import { NewPosition } from "../form/schema.ts";
import { formValues } from "../form/values.ts";
import type { CheckinRow } from "../table/checkin.ts";

/** The app of the phones sends nine at the most. */
const MAX_FILES = 30;

/** What a check-in is made of. */
export const CheckinInput = z.object({
  tracker_id: z.int(),
  location: NewPosition,
  comment: text(1024).nullable().default(null),
  /** Uploaded photos that no other check-in shows. */
  file_ids: z.array(z.int()).max(MAX_FILES).default([]),
  form_submission: z.object({ form_id: z.int(), values: formValues() }).nullable().default(null),
});

export const Checkin = z.object({
  id: z.int(),
  marker_time: dateTime(),
  /** The master. */
  user_id: z.int(),
  tracker_id: z.int(),
  /** Who was on the tracker at that time, if anybody. */
  employee_id: z.int().optional(),
  location: z.object({ lat: z.number(), lng: z.number(), address: z.string() }),
  comment: z.string().optional(),
  files: z.array(FileObject),
  form_id: z.int().nullable(),
  form_label: z.string().nullable(),
});
export type Checkin = z.output<typeof Checkin>;

/** The row with its form, less what is ours alone. */
export type PublicCheckin = Pick<
  CheckinRow,
  | "id"
  | "account_id"
  | "tracker_id"
  | "employee_id"
  | "employee_name"
  | "marker_time"
  | "location"
  | "comment"
  | "file_ids"
> & { form_id: number | null; form_label: string | null };

export function toCheckin(row: PublicCheckin, files: Map<number, FileObject>): Checkin {
  const { account_id, employee_id, employee_name, comment, file_ids, ...plain } = row;
  return {
    ...plain,
    user_id: account_id,
    ...(employee_id === null ? {} : { employee_id }),
    ...(comment === null ? {} : { comment }),
    files: file_ids.flatMap((id) => files.get(id) ?? []),
  };
}
