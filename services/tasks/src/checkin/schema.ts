import * as z from "zod";
import { FileObject } from "#shared/contract/file/file-object.ts";
import { dateTime, text } from "#shared/operation/fields.ts";
import { NewPosition } from "../form/schema.ts";
import { formValues } from "../form/values.ts";
import type { CheckinRow } from "../table/checkin.ts";

/** The phone app sends at most nine. */
const MAX_FILES = 30;

/** The request that makes a check-in. */
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
  /** The id of the account's master. */
  user_id: z.int(),
  tracker_id: z.int(),
  /** The employee on the tracker at the time of the check-in; left out without one. */
  employee_id: z.int().optional(),
  location: z.object({ lat: z.number(), lng: z.number(), address: z.string() }),
  comment: z.string().optional(),
  files: z.array(FileObject),
  form_id: z.int().nullable(),
  form_label: z.string().nullable(),
});
export type Checkin = z.output<typeof Checkin>;

/** A check-in's row with its form, without the columns that callers never see. */
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
