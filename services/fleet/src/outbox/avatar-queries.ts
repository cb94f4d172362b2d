import { avatarsIn } from "#shared/database/avatar/queries.ts";
import { avatar } from "../table/avatar.ts";
import { recordChange } from "./audit.ts";

/** Announces, shows and removes pictures of vehicles, employees, tags and trackers; the files service stores them. */
export const avatars = avatarsIn(avatar, recordChange);
