import type { Account, Reply } from "../../call/account.ts";
import { daysAgo } from "../range.ts";
import type { Sample } from "../sample.ts";

export const SERVICE_TASK_SAMPLES: Record<string, Sample[]> = {
  "/vehicle/service_task/create": [
    { parameters: ({ vehicle_id }) => ({ task: { ...WORK, vehicle_id } }) },
    { parameters: ({ vehicle_id }) => ({ task: { ...WORK, vehicle_id, conditions: DATED } }) },
    {
      parameters: ({ vehicle_id, service_file_id }) => ({
        task: { ...WORK, vehicle_id, file_ids: [service_file_id] },
      }),
    },
  ],
  "/vehicle/service_task/batch/create": [
    {
      parameters: ({ vehicle_id, service_file_id }) => ({
        vehicle_ids: [vehicle_id],
        task: { ...WORK, file_ids: [service_file_id] },
      }),
    },
  ],
  "/vehicle/service_task/batch_create": [
    {
      parameters: ({ vehicle_id, service_file_id }) => ({
        vehicle_ids: [vehicle_id],
        task: { ...WORK, file_ids: [service_file_id] },
      }),
    },
  ],
  "/vehicle/service_task/read": [
    { parameters: ({ service_task_id }) => ({ task_id: service_task_id }) },
    { parameters: () => ({}), before: (account) => newServiceTask(account) },
  ],
  "/vehicle/service_task/download": [
    { parameters: ({ vehicle_id }) => ({ vehicle_ids: [vehicle_id], format: "xls", group_by: "vehicle" }) },
  ],
  "/vehicle/service_task/list": [
    { parameters: ({ vehicle_id }) => ({ vehicle_ids: [vehicle_id] }) },
    {
      parameters: () => ({
        conditions: [{ type: "contains", field: "vehicle", value: "va" }],
        sort: ["predicted_date=desc"],
        filter: "oil",
        limit: 10,
      }),
    },
  ],
  "/vehicle/service_task/update": [
    {
      parameters: ({ service_task_id: id, vehicle_id, service_file_id }) => ({
        task: { ...WORK, id, vehicle_id, conditions: DATED, file_ids: [service_file_id] },
      }),
    },
    {
      parameters: () => ({}),
      before: async (account) => ({ task: { ...WORK, id: (await newServiceTask(account)).task_id } }),
    },
  ],
  "/vehicle/service_task/set_status": [
    {
      parameters: ({ service_task_id }) => ({ task_id: service_task_id, status: "done" }),
      before: (account) => newServiceTask(account),
    },
    {
      parameters: () => ({ status: "done" }),
      before: (account) => newServiceTask(account, { repeat: true }),
    },
  ],
  "/vehicle/service_task/delete": [
    {
      parameters: ({ service_task_id }) => ({ task_id: service_task_id }),
      before: (account) => newServiceTask(account),
    },
    {
      parameters: ({ service_task_id }) => ({ task_ids: [service_task_id] }),
      before: async (account) => ({ task_ids: [(await newServiceTask(account)).task_id] }),
    },
  ],
  "/vehicle/service_task/file/create": [{ parameters: () => ({ size: 1000, filename: "bill.pdf" }) }],
};

const WORK = { description: "Oil change", conditions: { mileage: { limit: 1000, notification_interval: 100 } } };

export const DATED = { date: { end: daysAgo(-100), notification_interval: 14 } };

/** Makes a service task of the vehicle that has a tracker. */
export async function newServiceTask(account: Account, more: object = {}) {
  const { list } = await account.must("/vehicle/list");
  const { id: vehicle_id } = list.find(({ tracker_id }: Reply) => tracker_id !== null);
  const { id } = await account.must("/vehicle/service_task/create", { task: { ...WORK, vehicle_id, ...more } });
  return { task_id: Number(id) };
}
