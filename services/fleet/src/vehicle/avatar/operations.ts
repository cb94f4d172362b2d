import * as z from "zod";
import { AVATAR_UPLOAD, uploadAvatar } from "#shared/contract/file/avatar.ts";
import { color } from "#shared/operation/fields.ts";
import { operation } from "../../operation.ts";
import { avatars } from "../../outbox/avatar-queries.ts";
import { avatarOfVehicle } from "./queries.ts";

const { changeIcon } = avatars;

export const uploadVehicleAvatar = operation("/vehicle/avatar/upload", {
  summary: "Gives a vehicle a picture of its own instead of an icon; answers its file name",
  right: "vehicle_update",
  reply: ["json", "redirect"],
  input: z.object({ vehicle_id: z.int(), ...AVATAR_UPLOAD }),
  output: z.object({ value: z.string() }),
  errors: [201, 233, 234, 254],
  async run({ vehicle_id, file }, call) {
    const holder = avatarOfVehicle(call.db, call.principal, vehicle_id);
    return { value: await uploadAvatar(file, holder, avatars, call) };
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

export const operations = [uploadVehicleAvatar, assignVehicleAvatar];
