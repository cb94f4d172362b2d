import type { Account } from "../../call/account.ts";
import { newPicture } from "../../document/pictures.ts";
import type { Sample } from "../sample.ts";
import { newTracker } from "./tracker.ts";

export const VEHICLE_SAMPLES: Record<string, Sample[]> = {
  "/vehicle/create": [
    { parameters: () => ({ vehicle: { label: "Van" } }) },
    {
      parameters: ({ tracker_id, garage_id, tag_id }) => ({
        vehicle: { label: "Van", tracker_id, garage_id, tags: [tag_id] },
      }),
      // The world's tracker stays where its service tasks are.
      before: async (account) => ({ vehicle: { label: "Van", ...(await newTracker(account)) } }),
    },
  ],
  "/vehicle/update": [
    {
      parameters: ({ vehicle_id: id, tracker_id, garage_id, tag_id }) => ({
        vehicle: { id, label: "Van", tracker_id, garage_id, tags: [tag_id] },
      }),
    },
  ],
  "/vehicle/read": [{ parameters: ({ vehicle_id }) => ({ vehicle_id }) }],
  "/vehicle/list": [
    { parameters: () => ({}) },
    { parameters: () => ({ filter: "van", sort: ["tracker_label=desc"], limit: 1, offset: 1 }) },
  ],
  "/vehicle/delete": [
    { parameters: ({ vehicle_id }) => ({ vehicle_id }), before: newVehicle },
    { parameters: ({ vehicle_id }) => ({ vehicle_ids: [vehicle_id] }), before: newVehicles },
  ],
  "/vehicle/batch_convert": [
    {
      parameters: ({ tracker_label }) => ({
        batch: `Van\t${tracker_label}\tNorth`,
        fields: ["label", "tracker_label", "garage"],
      }),
    },
    { parameters: ({ file_id }) => ({ file_id, fields: ["label"] }) },
  ],
  "/vehicle/avatar/upload": [{ parameters: ({ vehicle_id }) => ({ vehicle_id, file: newPicture() }) }],
  "/vehicle/avatar/assign": [{ parameters: ({ vehicle_id }) => ({ vehicle_id, icon_id: 3, icon_color: "27A9E3" }) }],
  "/garage/list": [{ parameters: () => ({}) }],
  "/garage/create": [{ parameters: () => ({ garage: GARAGE }) }],
  "/garage/update": [{ parameters: ({ garage_id }) => ({ garage: { ...GARAGE, id: garage_id } }) }],
  "/garage/delete": [{ parameters: ({ garage_id }) => ({ garage_id }), before: newGarage }],
};

async function newVehicle(account: Account) {
  const { id } = await account.must("/vehicle/create", { vehicle: { label: "For an end" } });
  return { vehicle_id: id };
}

async function newVehicles(account: Account) {
  const made = await Promise.all([newVehicle(account), newVehicle(account)]);
  return { vehicle_ids: made.map(({ vehicle_id }) => vehicle_id) };
}

const GARAGE = { organization_name: "North", mechanic_name: "R. Diaz", dispatcher_name: "" };

export async function newGarage(account: Account) {
  const { id } = await account.must("/garage/create", { garage: GARAGE });
  return { garage_id: Number(id) };
}
