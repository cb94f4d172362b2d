import { z } from "zod";
import { AVATAR_UPLOAD, uploadAvatar } from "#shared/contract/avatar.ts";
import { color } from "#shared/operation/fields.ts";
import { operation } from "../operation.ts";
import { avatarOfEmployee, avatarOfTag, avatarOfTracker, avatarOfVehicle, avatars } from "./queries.ts";

const { changeIcon } = avatars;

export const uploadVehicleAvatar = operation("/vehicle/avatar/upload", {
  summary: "Gives a vehicle a picture of its own instead of an icon; answers its file name",
  right: "vehicle_update",
  reply: ["json", "redirect"],
  input: z.object({ vehicle_id: z.int(), ...AVATAR_UPLOAD }),
  output: z.object({ value: z.string() }),
  errors: [201, 233, 234, 254],
  async run({ vehicle_id, file }, call) {
    const thing = avatarOfVehicle(call.db, call.principal, vehicle_id);
    return { value: await uploadAvatar(file, thing, avatars, call) };
  },
});

export const assignVehicleAvatar = operation("/vehicle/avatar/assign", {
  summary: "Gives a vehicle an icon; with null it shows its picture again",
  right: "vehicle_update",
  input: z.object({ vehicle_id: z.int(), icon_id: z.int().nullable(), icon_color: color().optional() }),
  output: z.object({}),
  errors: [201],
  async run({ vehicle_id, ...icon }, { db, principal, actor }) {
    await changeIcon(db, avatarOfVehicle(db, principal, vehicle_id), icon, actor);
    return {};
  },
});

export const uploadEmployeeAvatar = operation("/employee/avatar/upload", {
  summary: "Gives an employee a picture instead of an icon; answers its file name",
  right: "employee_update",
  reply: ["json", "redirect"],
  input: z.object({ employee_id: z.int(), ...AVATAR_UPLOAD }),
  output: z.object({ value: z.string() }),
  errors: [201, 233, 234, 254],
  async run({ employee_id, file }, call) {
    const thing = avatarOfEmployee(call.db, call.principal, employee_id);
    return { value: await uploadAvatar(file, thing, avatars, call) };
  },
});

export const assignEmployeeAvatar = operation("/employee/avatar/assign", {
  summary: "Gives an employee an icon; with null the picture is shown again",
  right: "employee_update",
  input: z.object({ employee_id: z.int(), icon_id: z.int().nullable() }),
  output: z.object({}),
  errors: [201],
  async run({ employee_id, ...icon }, { db, principal, actor }) {
    await changeIcon(db, avatarOfEmployee(db, principal, employee_id), icon, actor);
    return {};
  },
});

export const uploadTagAvatar = operation("/tag/avatar/upload", {
  summary: "Gives a tag a picture instead of an icon; answers its file name",
  right: "tag_update",
  reply: ["json", "redirect"],
  input: z.object({ tag_id: z.int(), ...AVATAR_UPLOAD }),
  output: z.object({ value: z.string() }),
  errors: [201, 233, 234, 254],
  async run({ tag_id, file }, call) {
    const thing = avatarOfTag(call.db, call.principal, tag_id);
    return { value: await uploadAvatar(file, thing, avatars, call) };
  },
});

export const assignTagAvatar = operation("/tag/avatar/assign", {
  summary: "Gives a tag an icon; with null it shows its picture again",
  right: "tag_update",
  input: z.object({ tag_id: z.int(), icon_id: z.int().nullable() }),
  output: z.object({}),
  errors: [201],
  async run({ tag_id, ...icon }, { db, principal, actor }) {
    await changeIcon(db, avatarOfTag(db, principal, tag_id), icon, actor);
    return {};
  },
});

export const uploadTrackerAvatar = operation("/tracker/avatar/upload", {
  summary: "Gives a tracker a picture; answers its file name",
  right: "tracker_update",
  reply: ["json", "redirect"],
  input: z.object({ tracker_id: z.int(), ...AVATAR_UPLOAD }),
  output: z.object({ value: z.string() }),
  errors: [201, 208, 233, 234, 254],
  async run({ tracker_id, file }, call) {
    const thing = avatarOfTracker(call.db, call.principal, tracker_id);
    return { value: await uploadAvatar(file, thing, avatars, call) };
  },
});

export const operations = [
  uploadVehicleAvatar,
  assignVehicleAvatar,
  uploadEmployeeAvatar,
  assignEmployeeAvatar,
  uploadTagAvatar,
  assignTagAvatar,
  uploadTrackerAvatar,
];
