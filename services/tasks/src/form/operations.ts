import * as z from "zod";
import { renderTable } from "#shared/document/render-table.ts";
import { fileAnswer } from "#shared/operation/file-answer.ts";
import { operation } from "../operation.ts";
import { toFormDocument } from "./document.ts";
import { readDocumentFiles, readFormFiles } from "./files.ts";
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
    return {
      value: toForm(form),
      files: await readFormFiles(env, used, { account_id: principal.account_id, base_url }),
    };
  },
});

export const downloadForm = operation("/form/download", {
  summary: "A form of a task or a check-in as a document, in the language of the user's locale",
  reads: true,
  reply: ["pdf", "xlsx"],
  expensive: true,
  input: z.object({ id: z.int(), format: z.enum(["pdf", "xlsx"]) }),
  output: z.object({}),
  errors: [201, 267],
  async run({ id, format }, call) {
    const { db, env, principal, clock } = call;
    const { form, files: rows } = await requireForm(db, principal, id);
    const filled = await readDocumentFiles(env, { form, files: rows }, principal, format);
    const document = toFormDocument({ form, ...filled }, principal.locale, clock);
    return fileAnswer(await renderTable(document, format, call), form.label, format, true);
  },
});

export const operations = [readForm, downloadForm];
