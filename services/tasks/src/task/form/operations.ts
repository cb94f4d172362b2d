import * as z from "zod";
import { NEW_FILE, UploadTicket } from "#shared/contract/file/file-ticket.ts";
import { renderTable } from "#shared/document/render-table.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { dateTime } from "#shared/operation/fields.ts";
import { fileAnswer } from "#shared/operation/file-answer.ts";
import { listAnswer, serializePages } from "#shared/operation/list-answer.ts";
import { issueTicket } from "../../file/ticket.ts";
import { toFormDocument } from "../../form/document.ts";
import { readDocumentFiles, readFormFiles, requireFileField } from "../../form/files.ts";
import { Form, FormFile, toForm } from "../../form/schema.ts";
import { operation } from "../../operation.ts";
import { matchFilters, ORDERS, type Order, selectForms } from "./list-queries.ts";
import { attachForms, detachForm, requireTaskForm } from "./queries.ts";
import { requireEditable } from "./require-editable.ts";
import { ListedForm } from "./schema.ts";
import { readVisibleAreas } from "./submission-location.ts";
import { SubmissionInput, submitForms } from "./submit.ts";

export const TaskFormInput = z.object({ task_id: z.int(), template_id: z.int() });

export const createTaskForm = operation("/task/form/create", {
  summary: "Issues a form for a task that has none, with the fields that the template has now",
  right: "task_update",
  input: TaskFormInput,
  output: z.object({}),
  errors: [201, 247, 255],
  async run(input, { db, principal, actor }) {
    await attachForms(db, principal, [input], actor);
    return {};
  },
});

export const deleteTaskForm = operation("/task/form/delete", {
  summary: "Deletes the form of a task with its values",
  right: "task_update",
  input: z.object({ task_id: z.int() }),
  output: z.object({}),
  errors: [201, 255],
  async run({ task_id }, { db, principal, actor }) {
    await detachForm(db, principal, task_id, actor);
    return {};
  },
});

export const readTaskForm = operation("/task/form/read", {
  summary: "The form of a task, null without one, and the files that were reserved for it",
  reads: true,
  input: z.object({ task_id: z.int() }),
  output: z.object({ value: Form.nullable(), files: z.array(FormFile) }),
  errors: [201],
  async run({ task_id }, { db, env, principal, request: { base_url } }) {
    const { form, files } = await requireTaskForm(db, principal, task_id);
    const { account_id } = principal;
    return { value: form && toForm(form), files: await readFormFiles(env, files, { account_id, base_url }) };
  },
});

export const updateTaskFormValues = operation("/task/form/values/update", {
  summary: "Submits the form of a task, or corrects it: given values replace the previous ones, other values stay",
  right: "task_update",
  input: SubmissionInput,
  output: z.object({}),
  errors: [101, 201, 242, 255],
  async run(input, call) {
    await submitForms([{ ...input, submitted: call.clock.now() }], call);
    return {};
  },
});

export const createTaskFormFile = operation("/task/form/file/create", {
  summary:
    "Reserves space for a file of a field; answers where to upload it. It belongs to the form once a submission names it",
  right: "task_update",
  answerAgain: "run",
  input: z.object({ task_id: z.int(), field_id: z.string().max(19), ...NEW_FILE }),
  output: z.object({ value: UploadTicket }),
  errors: [201, 231, 255, 267, 268, 271],
  async run({ task_id, field_id, ...file }, { db, env, principal, clock, actor, request: { base_url } }) {
    const findField = async () => {
      const { form, task } = await requireTaskForm(db, principal, task_id);
      const form_id = requireFileField(form, field_id);
      requireEditable(task, principal);
      return { form_id, field_id, now: clock.now() };
    };
    const newFile = { ...file, type: "file" } as const;
    return {
      value: await issueTicket(db, env, principal, newFile, { owner: "task_form", base_url, actor, findField }),
    };
  },
});

const period = () => z.object({ from: dateTime(), to: dateTime() }).nullable().optional();
const searchText = () => z.string().max(255).nullable().optional();

export const listTaskForms = operation("/task/form/list", {
  summary: "Forms of the tasks that the caller sees, of a template or of these tasks, sorted and in pages",
  reads: true,
  input: z.object({
    template_id: z.int().nullable().default(null),
    task_ids: z.array(z.int()).max(5000).nullable().default(null),
    // The keys of `ORDERS`, never empty.
    order_by: z.enum(Object.keys(ORDERS) as [Order, ...Order[]]).default("submitted"),
    ascending: z.boolean(),
    include_unsubmitted: z.boolean(),
    filters: z
      .object({
        employee_full_name: searchText(),
        form_description: searchText(),
        form_label: searchText(),
        submit_address: searchText(),
        /** The whole id; the other filters match a part of the text. */
        task_id: searchText(),
        task_address: searchText(),
        task_label: searchText(),
        tracker_label: searchText(),
        vehicle_label: searchText(),
      })
      .nullable()
      .default(null),
    submit_period: period(),
    task_creation_period: period(),
    task_from_period: period(),
    task_to_period: period(),
    task_arrival_period: period(),
    task_completion_period: period(),
    offset: z.int().min(0).default(0),
    limit: z.int().min(0).default(10_000),
  }),
  output: z.object({ list: z.array(ListedForm), count: z.int() }),
  errors: [204, 212],
  async run({ order_by: order, ascending, filters, limit, offset, ...filterInput }, { db, env, principal, clock }) {
    const { template_id, task_ids, include_unsubmitted, ...periods } = filterInput;
    if (limit > MAX_LISTED_FORMS) throw new ApiError(212);
    if (template_id === null && task_ids === null) throw invalid("template_id", "or task_ids must be given");
    const plain = { template_id, task_ids, include_unsubmitted };
    const condition = matchFilters({ ...plain, texts: filters ?? {}, periods });
    const [roster, areas] = await Promise.all([env.FLEET.readRoster(principal), readVisibleAreas(env, principal)]);
    const search = { template_id, condition, order, ascending, roster, areas };
    const { count, page } = await selectForms(db, principal, search, { limit, offset });
    return listAnswer({ count }, serializePages(ListedForm, page, clock));
  },
});

export const downloadTaskForm = operation("/task/form/download", {
  summary: "The form of a task as a document, in the language of the user's locale",
  reads: true,
  reply: ["xls", "csv", "pdf"],
  expensive: true,
  input: z.object({ task_id: z.int(), format: z.enum(["xls", "csv", "pdf"]) }),
  output: z.object({}),
  errors: [201, 267],
  async run({ task_id, format }, call) {
    const { db, env, principal, clock } = call;
    const { form, files: rows } = await requireTaskForm(db, principal, task_id);
    if (!form) throw new ApiError(201);
    const filled = await readDocumentFiles(env, { form, files: rows }, principal, format);
    const document = toFormDocument({ form, ...filled }, principal.locale, clock);
    const file = await renderTable(document, format, call);
    return fileAnswer(file, form.label, format, true);
  },
});

export const operations = [
  createTaskForm,
  deleteTaskForm,
  readTaskForm,
  updateTaskFormValues,
  createTaskFormFile,
  listTaskForms,
  downloadTaskForm,
];

const MAX_LISTED_FORMS = 100_000;
