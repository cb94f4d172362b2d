import { avatarTable } from "#shared/database/avatar/table.ts";

export const avatar = avatarTable();
