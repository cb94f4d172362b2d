import { z } from "zod";
import { operation } from "../operation.ts";
import { shownFiles } from "./files.ts";
import { requireForm } from "./queries.ts";
import { Form, FormFile, toForm } from "./schema.ts";

export const readForm = operation("/form/read", {
  summary: "A form of a task or a check-in, and the files that are its values",
  reads: true,
  input: z.object({ id: z.int() }),
  output: z.object({ value: Form, files: z.array(FormFile) }),
  errors: [201],
  async run({ id }, { db, env, principal, request: { base_url } }) {
    const { form, files } = await requireForm(db, principal, id);
    const used = files.filter(({ is_submitted }) => is_submitted);
    return { value: toForm(form), files: await shownFiles(env, used, { account_id: principal.account_id, base_url }) };
  },
});

export const operations = [readForm];
