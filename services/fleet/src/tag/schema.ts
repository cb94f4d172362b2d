import * as z from "zod";
import { changesOf } from "#shared/operation/changes.ts";
import { color, text } from "#shared/operation/fields.ts";
import type { TagRow } from "../table/tag/tag.ts";

export const NewTag = z.object({ name: text(64).min(1), color: color() });
export type NewTag = z.output<typeof NewTag>;

/** The avatar is changed by operations of its own. */
export const ChangedTag = changesOf(NewTag).extend({ id: z.int() });
export type ChangedTag = z.output<typeof ChangedTag>;

export const Tag = NewTag.extend({
  id: z.int(),
  icon_id: z.int().optional(),
  avatar_file_name: z.string().optional(),
});
export type Tag = z.output<typeof Tag>;

export function toTag({ id, name, color, icon_id, avatar_file_name }: TagRow): Tag {
  return { id, name, color, icon_id: icon_id ?? undefined, avatar_file_name: avatar_file_name ?? undefined };
}
