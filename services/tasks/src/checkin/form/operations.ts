import * as z from "zod";
import { NEW_FILE, UploadTicket } from "#shared/contract/file/file-ticket.ts";
import { invalid } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import type { TasksEnv } from "../../env.ts";
import { issueTicket } from "../../file/ticket.ts";
import { requireFileField } from "../../form/files.ts";
import { CHECKIN_FEATURE, requireCheckinTrackers } from "../../links/checkin.ts";
import { operation } from "../../operation.ts";
import { insertForms, requireForm } from "./queries.ts";

export const CheckinFormInput = z.object({ tracker_id: z.int(), template_id: z.int() });

export const createCheckinForm = operation("/checkin/form/create", {
  summary: "Issues a form for a later check-in of the tracker",
  feature: CHECKIN_FEATURE,
  input: CheckinFormInput,
  output: z.object({ id: z.int() }),
  errors: [201, 236, 268],
  async run(given, call) {
    const [id = 0] = await createCheckinForms([given], call);
    return { id };
  },
});

/** Issues a form for each request, or none at all; answers their ids in the order of the requests. */
export async function createCheckinForms(
  given: z.output<typeof CheckinFormInput>[],
  { db, env, principal, actor }: Call<TasksEnv>,
): Promise<number[]> {
  await requireCheckinTrackers(
    env,
    principal,
    given.map(({ tracker_id }) => tracker_id),
  );
  return insertForms(db, principal, given, actor);
}

export const createCheckinFormFile = operation("/checkin/form/file/create", {
  summary:
    "Reserves space for a file of a field; answers where to upload it. It belongs to the form once a check-in names it",
  answerAgain: "run",
  input: z.object({
    /** Exactly one of `checkin_id` and `form_id` must be given. */
    checkin_id: z.int().nullable().default(null),
    form_id: z.int().nullable().default(null),
    field_id: z.string().max(19),
    ...NEW_FILE,
  }),
  output: z.object({ value: UploadTicket }),
  errors: [201, 231, 267, 268, 271],
  async run({ checkin_id, form_id, field_id, ...file }, { db, env, principal, clock, actor, request: { base_url } }) {
    if ((checkin_id === null) === (form_id === null)) {
      throw invalid("has_at_least_one_id_field", "must be either checkin_id or form_id");
    }
    const findField = async () => {
      const form = await requireForm(db, principal, { checkin_id, form_id });
      return { form_id: requireFileField(form, field_id), field_id, now: clock.now() };
    };
    const fileValue = { ...file, type: "file" } as const;
    return {
      value: await issueTicket(db, env, principal, fileValue, { owner: "checkin_form", base_url, actor, findField }),
    };
  },
});

export const operations = [createCheckinForm, createCheckinFormFile];
