import * as z from "zod";
import { AVATAR_UPLOAD, uploadAvatar } from "#shared/contract/file/avatar.ts";
import { operation } from "../../operation.ts";
import { avatarHolderOf, avatars } from "./queries.ts";

export const uploadPlaceAvatar = operation("/place/avatar/upload", {
  summary: "Gives a place a picture instead of an icon; answers its file name",
  right: "place_update",
  reply: ["json", "redirect"],
  input: z.object({ place_id: z.int(), ...AVATAR_UPLOAD }),
  output: z.object({ value: z.string() }),
  errors: [201, 233, 234, 254],
  async run({ place_id, file }, call) {
    return { value: await uploadAvatar(file, avatarHolderOf(call.db, call.principal, place_id), avatars, call) };
  },
});

export const assignPlaceAvatar = operation("/place/avatar/assign", {
  summary: "Gives a place an icon; with null it shows its picture again",
  right: "place_update",
  input: z.object({ place_id: z.int(), icon_id: z.int().min(1).max(255).nullable() }),
  output: z.object({}),
  errors: [201],
  async run({ place_id, icon_id }, { db, principal, actor }) {
    await avatars.changeIcon(db, avatarHolderOf(db, principal, place_id), { icon_id }, actor);
    return {};
  },
});

export const operations = [uploadPlaceAvatar, assignPlaceAvatar];
