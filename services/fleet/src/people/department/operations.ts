import * as z from "zod";
import { listAnswer } from "#shared/operation/list-answer.ts";
import { operation } from "../../operation.ts";
import { changeDepartment, insertDepartment, removeDepartment, selectDepartments } from "./queries.ts";
import { ChangedDepartment, Department, NewDepartment } from "./schema.ts";

export const listDepartments = operation("/department/list", {
  summary: "All departments",
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(Department) }),
  errors: [7, 217, 221],
  async run(_, { db, principal }) {
    return listAnswer({}, await selectDepartments(db, principal));
  },
});

export const createDepartment = operation("/department/create", {
  summary: "Creates a department",
  right: "employee_update",
  input: z.object({ department: NewDepartment }),
  output: z.object({ id: z.int() }),
  errors: [7, 217, 221, 268],
  async run({ department }, { db, principal, actor }) {
    const id = await insertDepartment(db, principal, department, actor);
    return { id };
  },
});

export const updateDepartment = operation("/department/update", {
  summary: "Changes a department; what is left out stays",
  right: "employee_update",
  input: z.object({ department: ChangedDepartment }),
  output: z.object({}),
  errors: [201],
  async run({ department }, { db, principal, actor }) {
    await changeDepartment(db, principal, department, actor);
    return {};
  },
});

export const deleteDepartment = operation("/department/delete", {
  summary: "Deletes a department; its employees stay without one",
  right: "employee_update",
  input: z.object({ department_id: z.int() }),
  output: z.object({}),
  errors: [201],
  async run({ department_id }, { db, principal, actor }) {
    await removeDepartment(db, principal, department_id, actor);
    return {};
  },
});

export const operations = [listDepartments, createDepartment, updateDepartment, deleteDepartment];
