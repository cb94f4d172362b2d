import { removedTagTable } from "#shared/database/tag-binding/table.ts";

export const removedTag = removedTagTable();
