import { z } from "zod";
import { color, text } from "#shared/operation/fields.ts";
import type { TagRow } from "../table/tag.ts";

export const NewTag = z.object({ name: text(64).min(1), color: color() });
export type NewTag = z.output<typeof NewTag>;

/** What update takes: the whole tag; its image is changed elsewhere. */
export const ChangedTag = NewTag.extend({ id: z.int() });

export const Tag = ChangedTag.extend({ avatar_file_name: z.string().optional() });
export type Tag = z.output<typeof Tag>;

export function toTag({ id, name, color, avatar_file_name }: TagRow): Tag {
  return { id, name, color, avatar_file_name: avatar_file_name ?? undefined };
}
