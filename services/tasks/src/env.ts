import type { DatabaseEnv } from "#shared/database.ts";

export type TasksEnv = DatabaseEnv;
