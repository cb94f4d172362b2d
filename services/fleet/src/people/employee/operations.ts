import * as z from "zod";
import { distinctCells } from "#shared/batch/cells.ts";
import { completeLocations } from "#shared/batch/locations.ts";
import { readRows, SOURCE } from "#shared/batch/source.ts";
import { tagNamesIn } from "#shared/batch/tags.ts";
import { read } from "#shared/database/steps.ts";
import { listAnswer } from "#shared/operation/list-answer.ts";
import { operation } from "../../operation.ts";
import { listSearch } from "../../search/list-search.ts";
import { selectByNames } from "../../tag/queries.ts";
import { selectByLabels } from "../../tracker/queries.ts";
import { CheckedEmployee, convertRows, IMPORT_FIELDS } from "./batch.ts";
import {
  changeEmployee,
  insertEmployee,
  removeEmployee,
  requireEmployee,
  SORTABLE,
  selectEmployees,
} from "./queries.ts";
import { ChangedEmployee, Employee, NewEmployee } from "./schema.ts";

export const createEmployee = operation("/employee/create", {
  summary: "Creates an employee",
  right: "employee_update",
  input: z.object({ employee: NewEmployee }),
  output: z.object({ id: z.int() }),
  errors: [247, 268],
  async run({ employee }, { db, principal, actor }) {
    const id = await insertEmployee(db, principal, employee, actor);
    return { id };
  },
});

export const updateEmployee = operation("/employee/update", {
  summary: "Changes an employee; what is left out stays",
  right: "employee_update",
  input: z.object({ employee: ChangedEmployee }),
  output: z.object({}),
  errors: [201, 247],
  async run({ employee }, { db, principal, actor }) {
    await changeEmployee(db, principal, employee, actor);
    return {};
  },
});

export const readEmployee = operation("/employee/read", {
  summary: "An employee",
  reads: true,
  input: z.object({ employee_id: z.int() }),
  output: z.object({ value: Employee }),
  errors: [201],
  async run({ employee_id }, { db, principal }) {
    return { value: await requireEmployee(db, principal, employee_id) };
  },
});

export const listEmployees = operation("/employee/list", {
  summary: "The employees that the caller sees, filtered, sorted and in pages",
  reads: true,
  input: listSearch(SORTABLE),
  output: z.object({ list: z.array(Employee), count: z.int() }),
  errors: [],
  async run(search, { db, principal }) {
    const { count, page } = await selectEmployees(db, principal, search);
    return listAnswer({ count }, page);
  },
});

export const deleteEmployee = operation("/employee/delete", {
  summary: "Deletes an employee",
  right: "employee_update",
  input: z.object({ employee_id: z.int() }),
  output: z.object({}),
  errors: [201],
  async run({ employee_id }, { db, principal, actor }) {
    await removeEmployee(db, principal, employee_id, actor);
    return {};
  },
});

export const batchConvertEmployees = operation("/employee/batch_convert", {
  summary: "Reads employees from tab-delimited text or a parsed sheet and checks them; stores nothing",
  right: "employee_update",
  expensive: true,
  input: z.object({
    ...SOURCE,
    fields: z
      .array(z.enum(IMPORT_FIELDS))
      .max(256)
      .default(["first_name", "middle_name", "last_name", "email", "phone"]),
    default_radius: z.int().min(1).max(300_000).default(100),
  }),
  output: z.object({
    list: z.array(z.object({ success: z.boolean(), value: CheckedEmployee })),
    limit_exceeded: z.boolean(),
  }),
  errors: [234],
  async run({ fields, default_radius, geocoder: provider, ...source }, { db, env, principal }) {
    const { rows, limit_exceeded } = await readRows(source, fields, env, principal);
    const [locatedRows, named] = await Promise.all([
      completeLocations(rows, { geocoder: env.GEO, principal, provider }),
      read(db, {
        trackers: selectByLabels(db, principal, distinctCells(rows, "tracker_label")),
        tags: selectByNames(db, principal, tagNamesIn(rows)),
      }),
    ]);
    return { list: convertRows(locatedRows, named, default_radius), limit_exceeded };
  },
});

export const operations = [
  createEmployee,
  updateEmployee,
  readEmployee,
  listEmployees,
  deleteEmployee,
  batchConvertEmployees,
];
