import { operationsOf } from "#shared/operation/declaration.ts";
import type { TasksEnv } from "./env.ts";

export const operation = operationsOf<TasksEnv>();
