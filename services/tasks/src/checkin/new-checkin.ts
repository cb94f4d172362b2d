import type * as z from "zod";
import type { StaffedTracker } from "#shared/contract/fleet.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { fillInForm } from "../form/submission.ts";
import { requireCheckinTracker, toCheckinEmployee } from "../links/checkin.ts";
import type { UnusedForm } from "./form/queries.ts";
import type { NewCheckin } from "./insert-queries.ts";
import type { CheckinInput } from "./schema.ts";

type Input = z.output<typeof CheckinInput>;
/** The tracker and the form that the input names; undefined when they do not exist for the caller or cannot be used. */
type CheckinLinks = { tracker: StaffedTracker | undefined; form: UnusedForm | undefined };
/** The time of the check-in in UTC milliseconds, and the zone that decides on the day of date fields. */
type CheckinTime = { time: number; zone: string };

/** The check-in to store; throws the error that the operation answers. Photos are checked by the transaction. */
export function toNewCheckin(
  { form_submission, file_ids, ...input }: Input,
  { tracker, form }: CheckinLinks,
  when: CheckinTime,
): NewCheckin {
  requireCheckinTracker(tracker);
  return {
    ...{ ...input, ...toCheckinEmployee(tracker), file_ids: [...new Set(file_ids)], marker_time: when.time },
    form: form_submission ? fillInCheckinForm(form_submission, input.tracker_id, form, when) : undefined,
  };
}

/** Fills in the form, which must have been issued for the tracker. */
function fillInCheckinForm(
  { form_id, values }: NonNullable<Input["form_submission"]>,
  tracker_id: number,
  unused: UnusedForm | undefined,
  { time, zone }: CheckinTime,
) {
  if (unused?.form.tracker_id !== tracker_id) throw new ApiError(201);
  return { ...fillInForm(values, unused, { now: () => time, zone }), form_id, revision: unused.form.revision };
}
