import * as z from "zod";
import { AVATAR_UPLOAD, uploadAvatar } from "#shared/contract/file/avatar.ts";
import { operation } from "../../operation.ts";
import { avatars } from "../../outbox/avatar-queries.ts";
import { avatarOfEmployee } from "./queries.ts";

const { changeIcon } = avatars;

export const uploadEmployeeAvatar = operation("/employee/avatar/upload", {
  summary: "Gives an employee a picture instead of an icon; answers its file name",
  right: "employee_update",
  reply: ["json", "redirect"],
  input: z.object({ employee_id: z.int(), ...AVATAR_UPLOAD }),
  output: z.object({ value: z.string() }),
  errors: [201, 233, 234, 254],
  async run({ employee_id, file }, call) {
    const holder = avatarOfEmployee(call.db, call.principal, employee_id);
    return { value: await uploadAvatar(file, holder, avatars, call) };
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

export const operations = [uploadEmployeeAvatar, assignEmployeeAvatar];
