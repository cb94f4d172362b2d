import type { Account } from "../../call/account.ts";
import { newPicture } from "../../document/pictures.ts";
import type { Sample } from "../sample.ts";
import { newTracker } from "./tracker.ts";

export const PEOPLE_SAMPLES: Record<string, Sample[]> = {
  "/tracker/employee/assign": [
    {
      parameters: ({ tracker_id, employee_id: new_employee_id }) => ({ tracker_id, new_employee_id }),
      before: async (account) => ({
        ...(await newTracker(account)),
        new_employee_id: (await newEmployee(account)).employee_id,
      }),
    },
    {
      parameters: ({ tracker_id }) => ({ tracker_id, new_employee_id: null }),
      before: async (account) => {
        const { tracker_id } = await newTracker(account);
        await newEmployee(account, { tracker_id });
        return { tracker_id };
      },
    },
  ],
  "/tracker/employee/read": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/department/list": [{ parameters: () => ({}) }],
  "/department/create": [{ parameters: () => ({ department: { label: "Sales" } }) }],
  "/department/update": [{ parameters: ({ department_id: id }) => ({ department: { id, label: "Sales" } }) }],
  "/department/delete": [{ parameters: ({ department_id }) => ({ department_id }), before: newDepartment }],
  "/employee/list": [
    { parameters: () => ({}) },
    { parameters: () => ({ filter: "ann", sort: ["object_label=desc", "department_label=asc"], limit: 1 }) },
  ],
  "/employee/create": [
    { parameters: ({ department_id, tag_id }) => ({ employee: { first_name: "Ann", department_id, tags: [tag_id] } }) },
    {
      parameters: ({ tracker_id }) => ({ employee: { first_name: "Ann", tracker_id } }),
      before: async (account) => ({ employee: { first_name: "Ann", ...(await newTracker(account)) } }),
    },
  ],
  "/employee/read": [{ parameters: ({ employee_id }) => ({ employee_id }) }],
  "/employee/update": [
    {
      parameters: ({ employee_id: id, tracker_id, department_id, tag_id }) => ({
        employee: { id, first_name: "Ann", tracker_id, department_id, tags: [tag_id] },
      }),
    },
  ],
  "/employee/delete": [{ parameters: ({ employee_id }) => ({ employee_id }), before: newEmployee }],
  "/employee/avatar/upload": [{ parameters: ({ employee_id }) => ({ employee_id, file: newPicture() }) }],
  "/employee/avatar/assign": [{ parameters: ({ employee_id }) => ({ employee_id, icon_id: 3 }) }],
  "/employee/batch_convert": [
    {
      parameters: ({ tracker_label }) => ({ batch: `Ann\t${tracker_label}`, fields: ["first_name", "tracker_label"] }),
    },
    { parameters: ({ file_id }) => ({ file_id, fields: ["first_name"] }) },
  ],
};

export async function newDepartment(account: Account) {
  const { id } = await account.must("/department/create", { department: { label: "Sales" } });
  return { department_id: Number(id) };
}

export async function newEmployee(account: Account, more: object = {}) {
  const { id } = await account.must("/employee/create", { employee: { first_name: "Ann", ...more } });
  return { employee_id: Number(id) };
}
