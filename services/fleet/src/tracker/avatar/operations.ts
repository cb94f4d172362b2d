import * as z from "zod";
import { AVATAR_UPLOAD, uploadAvatar } from "#shared/contract/file/avatar.ts";
import { operation } from "../../operation.ts";
import { avatars } from "../../outbox/avatar-queries.ts";
import { avatarOfTracker } from "./queries.ts";

export const uploadTrackerAvatar = operation("/tracker/avatar/upload", {
  summary: "Gives a tracker a picture; answers its file name",
  right: "tracker_update",
  reply: ["json", "redirect"],
  input: z.object({ tracker_id: z.int(), ...AVATAR_UPLOAD }),
  output: z.object({ value: z.string() }),
  errors: [201, 208, 233, 234, 254],
  async run({ tracker_id, file }, call) {
    const holder = avatarOfTracker(call.db, call.principal, tracker_id);
    return { value: await uploadAvatar(file, holder, avatars, call) };
  },
});

export const operations = [uploadTrackerAvatar];
