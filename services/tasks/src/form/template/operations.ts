import * as z from "zod";
import type { Principal } from "#shared/caller/principal.ts";
import { retryOutdated } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { mergeChanges } from "#shared/operation/changes.ts";
import { listAnswer, serializePages } from "#shared/operation/list-answer.ts";
import { operation } from "../../operation.ts";
import {
  changeTemplate,
  countUses,
  insertTemplate,
  removeTemplate,
  requireTemplate,
  selectTemplates,
} from "./queries.ts";
import { ChangedFormTemplate, FormTemplate, NewFormTemplate, toTemplate } from "./schema.ts";

const amount = () => z.int().default(0);
/** Numbers of tasks by status. */
const Counts = z.object({
  unassigned: amount(),
  assigned: amount(),
  done: amount(),
  failed: amount(),
  delayed: amount(),
  arrived: amount(),
  faulty: amount(),
});

export const listFormTemplates = operation("/form/template/list", {
  summary: "The form templates of the account, by id",
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(FormTemplate) }),
  errors: [],
  async run(_, { db, principal, clock }) {
    return listAnswer({}, serializePages(FormTemplate, await selectTemplates(db, principal), clock));
  },
});

export const createFormTemplate = operation("/form/template/create", {
  summary: "Creates a template, from which forms are issued",
  right: "form_template_update",
  input: z.object({ template: NewFormTemplate }),
  output: z.object({ id: z.int() }),
  errors: [101, 268],
  async run({ template }, { db, principal, actor }) {
    refuseDemo(principal);
    return { id: await insertTemplate(db, principal, template, actor) };
  },
});

export const readFormTemplate = operation("/form/template/read", {
  summary: "A form template",
  reads: true,
  input: z.object({ template_id: z.int() }),
  output: z.object({ value: FormTemplate }),
  errors: [201],
  async run({ template_id }, { db, principal }) {
    return { value: toTemplate(await requireTemplate(db, principal, template_id)) };
  },
});

export const updateFormTemplate = operation("/form/template/update", {
  summary: "Changes a template; what is left out stays. Forms that were issued from it do not change",
  right: "form_template_update",
  input: z.object({ template: ChangedFormTemplate }),
  output: z.object({}),
  errors: [101, 201],
  async run({ template: { id, ...changes } }, { db, principal, actor }) {
    refuseDemo(principal);
    await retryOutdated(async () => {
      const { revision, ...current } = await requireTemplate(db, principal, id);
      const template = mergeChanges(NewFormTemplate, current, changes, "template");
      await changeTemplate(db, principal, { id, revision, template }, actor);
    });
    return {};
  },
});

export const deleteFormTemplate = operation("/form/template/delete", {
  summary: "Deletes a template; forms that were issued from it stay",
  right: "form_template_update",
  input: z.object({ template_id: z.int() }),
  output: z.object({}),
  errors: [101, 201],
  async run({ template_id }, { db, principal, actor }) {
    refuseDemo(principal);
    await removeTemplate(db, principal, template_id, actor);
    return {};
  },
});

export const readFormTemplateStats = operation("/form/template/stats/read", {
  summary: "The number of tasks of each status with a form of the template, and of schedules that issue one",
  reads: true,
  input: z.object({ template_id: z.int() }),
  output: z.object({ tasks: Counts, scheduled: z.int() }),
  errors: [201],
  async run({ template_id }, { db, principal }) {
    const { tasks, scheduled } = await countUses(db, principal, template_id);
    return { tasks: Counts.parse(Object.fromEntries(tasks.map(({ status, count }) => [status, count]))), scheduled };
  },
});

export const operations = [
  listFormTemplates,
  createFormTemplate,
  readFormTemplate,
  updateFormTemplate,
  deleteFormTemplate,
  readFormTemplateStats,
];

function refuseDemo({ demo }: Principal) {
  if (demo) throw new ApiError(101);
}
