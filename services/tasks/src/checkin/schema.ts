import { z } from "zod";
import { FileObject } from "#shared/contract/file-object.ts";
import { dateTime } from "#shared/operation/fields.ts";
import type { CheckinRow } from "../table/checkin.ts";

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
export type ShownCheckin = Pick<
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

export function toCheckin(row: ShownCheckin, files: Map<number, FileObject>): Checkin {
  const { account_id, employee_id, employee_name, comment, file_ids, ...plain } = row;
  return {
    ...plain,
    user_id: account_id,
    ...(employee_id === null ? {} : { employee_id }),
    ...(comment === null ? {} : { comment }),
    files: file_ids.flatMap((id) => files.get(id) ?? []),
  };
}
