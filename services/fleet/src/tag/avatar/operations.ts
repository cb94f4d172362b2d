import * as z from "zod";
import { AVATAR_UPLOAD, uploadAvatar } from "#shared/contract/file/avatar.ts";
import { operation } from "../../operation.ts";
import { avatars } from "../../outbox/avatar-queries.ts";
import { avatarOfTag } from "./queries.ts";

const { changeIcon } = avatars;

export const uploadTagAvatar = operation("/tag/avatar/upload", {
  summary: "Gives a tag a picture instead of an icon; answers its file name",
  right: "tag_update",
  reply: ["json", "redirect"],
  input: z.object({ tag_id: z.int(), ...AVATAR_UPLOAD }),
  output: z.object({ value: z.string() }),
  errors: [201, 233, 234, 254],
  async run({ tag_id, file }, call) {
    const holder = avatarOfTag(call.db, call.principal, tag_id);
    return { value: await uploadAvatar(file, holder, avatars, call) };
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

export const operations = [uploadTagAvatar, assignTagAvatar];
