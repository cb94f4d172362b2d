import { type Account, type Reply, UNKNOWN_ID } from "../call/account.ts";
import { upload } from "../call/uploads.ts";
import { PNG } from "../document/png.ts";
import { daysAgo } from "./range.ts";
import type { Sample } from "./sample.ts";
import { newTask } from "./tasks.ts";

/** Samples of the operations on forms and check-ins. */
export const FIELD_SAMPLES: Record<string, Sample[]> = {
  "/form/template/list": [{ parameters: () => ({}) }],
  "/form/template/create": [
    { parameters: () => ({ template: templateOf() }) },
    { parameters: () => ({ template: templateOf({ default: true }) }) },
  ],
  "/form/template/read": [{ parameters: ({ form_template_id: template_id }) => ({ template_id }) }],
  "/form/template/update": [
    { parameters: ({ form_template_id: id }) => ({ template: { ...templateOf({ label: "Other" }), id } }) },
  ],
  "/form/template/delete": [
    { parameters: ({ form_template_id: template_id }) => ({ template_id }), before: newTemplateId },
  ],
  "/form/template/stats/read": [{ parameters: ({ form_template_id: template_id }) => ({ template_id }) }],
  "/form/read": [{ parameters: ({ form_id: id }) => ({ id }) }, { parameters: ({ checkin_form_id: id }) => ({ id }) }],
  "/task/form/create": [
    {
      parameters: ({ task_id, form_template_id: template_id }) => ({ task_id, template_id }),
      before: (account) => newTask(account),
    },
  ],
  "/task/form/delete": [
    {
      parameters: ({ task_id }) => ({ task_id }),
      before: async (account) => newTask(account, await newTemplate(account)),
    },
  ],
  "/task/form/read": [{ parameters: ({ task_id }) => ({ task_id }) }],
  "/form/download": [{ parameters: ({ form_id: id }) => ({ id, format: "xlsx" }) }],
  "/task/form/download": [
    { parameters: ({ task_id }) => ({ task_id, format: "pdf" }) },
    { parameters: ({ task_id }) => ({ task_id, format: "csv" }) },
  ],
  "/task/form/list": [
    {
      parameters: ({ form_template_id: template_id, task_id }) => ({
        ...{ template_id, task_ids: [task_id], ascending: true, include_unsubmitted: true },
        order_by: "employee_full_name",
        filters: { form_label: "note", task_id: String(task_id) },
        task_creation_period: { from: daysAgo(1), to: daysAgo(-1) },
      }),
    },
  ],
  "/task/form/values/update": [
    {
      parameters: ({ task_id }) => ({ task_id, values: SMITH, location: DOCK }),
      before: async (account) => {
        const { task_id } = await newTask(account, await newTemplate(account));
        const file_ids = [await newFormFile(account, "/task/form/file/create", { task_id })];
        return { task_id, values: { ...SMITH, photos: { type: "photo", file_ids } } };
      },
    },
    {
      // A submission without a location gets that of the tracker's last point.
      parameters: ({ task_id }) => ({ task_id, values: SMITH }),
      before: async (account) => {
        const { id: tracker_id } = await account.newTracker();
        return newTask(account, { ...(await newTemplate(account, { submit_in_zone: false })), tracker_id });
      },
    },
  ],
  "/task/form/file/create": [
    {
      parameters: ({ task_id }) => ({ task_id, field_id: "photos", size: 1000 }),
      before: async (account) => newTask(account, await newTemplate(account)),
    },
  ],
  "/checkin/create": [
    { parameters: ({ tracker_id }) => ({ tracker_id, location: DOCK, comment: "At the gate" }) },
    {
      parameters: ({ tracker_id, checkin_form_id: form_id, photo_id }) => ({
        ...{ tracker_id, location: DOCK, file_ids: [photo_id] },
        form_submission: { form_id, values: SMITH },
      }),
      before: async (account) => {
        const { id: tracker_id } = await account.newTracker();
        const form_id = await newForm(account, tracker_id, (await newTemplate(account)).form_template_id);
        return {
          tracker_id,
          file_ids: [await newPhoto(account)],
          form_submission: { form_id, values: SMITH },
        };
      },
    },
  ],
  "/checkin/read": [{ parameters: ({ checkin_id }) => ({ checkin_id }) }],
  "/checkin/list": [
    { parameters: () => ({}) },
    {
      parameters: ({ tracker_id }) => ({
        trackers: [tracker_id],
        from: daysAgo(7),
        to: daysAgo(-1),
        conditions: [{ type: "contains", field: "employee", value: "a" }],
        sort: ["employee=asc", "form=desc"],
        location: { ...DOCK, radius: 1000 },
        limit: 10,
      }),
    },
    { parameters: () => ({ format: "xlsx" }) },
  ],
  "/checkin/delete": [
    {
      parameters: ({ checkin_id }) => ({ checkin_ids: [checkin_id] }),
      before: async (account) => {
        const { id: tracker_id } = await account.newTracker();
        const { id } = await account.must("/checkin/create", { tracker_id, location: DOCK });
        return { checkin_ids: [id] };
      },
    },
  ],
  "/checkin/image/create": [{ parameters: () => ({ size: 1000, filename: "door.jpg" }) }],
  "/checkin/form/create": [
    { parameters: ({ tracker_id, form_template_id: template_id }) => ({ tracker_id, template_id }) },
  ],
  "/checkin/form/file/create": [
    {
      parameters: ({ checkin_form_id: form_id }) => ({ form_id, field_id: "photos", size: 1000 }),
      before: async (account) => {
        const { id: tracker_id } = await account.newTracker();
        return { form_id: await newForm(account, tracker_id, (await newTemplate(account)).form_template_id) };
      },
    },
    {
      parameters: ({ checkin_id }) => ({ checkin_id, field_id: "photos", size: 1000 }),
      before: async (account) => {
        const { id: tracker_id } = await account.newTracker();
        const { form_template_id } = await newTemplate(account);
        const { checkin_id } = await newCheckin(account, tracker_id, form_template_id);
        return { checkin_id };
      },
    },
  ],
};

const DOCK = { lat: 52.5, lng: 13.4, address: "Dock 4" };
const SMITH = { name: { type: "text", value: "A. Smith" } };

function templateOf(more: object = {}) {
  const common = { description: "What it is", required: false };
  const fields = [
    { ...common, id: "name", label: "Name", type: "text", min_length: 1, max_length: 100 },
    { ...common, id: "photos", label: "Photos", type: "photo", max_files: 6 },
  ];
  return { label: "Delivery note", description: "", submit_in_zone: true, default: false, fields, ...more };
}

/** Makes a task with a form, and a check-in of the tracker. */
export async function newFieldWork(account: Account, task: { tracker_id: number; tags: number[] }) {
  const { form_template_id } = await newTemplate(account);
  const { task_id } = await newTask(account, { ...task, form_template_id });
  const { value } = await account.must("/task/form/read", { task_id });
  const checkin = await newCheckin(account, task.tracker_id, form_template_id);
  return { form_template_id, task_id, form_id: Number(value.id), ...checkin };
}

async function newTemplate(account: Account, more: object = {}) {
  const { id } = await account.must("/form/template/create", { template: templateOf(more) });
  return { form_template_id: Number(id) };
}

async function newTemplateId(account: Account) {
  return { template_id: (await newTemplate(account)).form_template_id };
}

async function newForm(account: Account, tracker_id: number, template_id: number) {
  return Number((await account.must("/checkin/form/create", { tracker_id, template_id })).id);
}

/** Makes a check-in with a form and a photo, and one more form and photo that no check-in uses. */
async function newCheckin(account: Account, tracker_id: number, form_template_id: number) {
  const form_id = await newForm(account, tracker_id, form_template_id);
  const { id } = await account.must("/checkin/create", {
    ...{ tracker_id, location: DOCK, file_ids: [await newPhoto(account)] },
    form_submission: { form_id, values: SMITH },
  });
  const checkin_form_id = await newForm(account, tracker_id, form_template_id);
  return { checkin_id: Number(id), checkin_form_id, photo_id: await newPhoto(account) };
}

async function newPhoto(account: Account) {
  return uploadFile(await account.must("/checkin/image/create", { size: 1000 }));
}

async function newFormFile(account: Account, path: string, named: object) {
  return uploadFile(await account.must(path, { ...named, field_id: "photos", size: 1000 }));
}

async function uploadFile({ value }: Reply) {
  const { success } = await upload(value, new File([PNG], "a.png"));
  return success ? Number(value.file_id) : UNKNOWN_ID;
}
