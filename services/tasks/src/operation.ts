import { operationsOf } from "#shared/operation.ts";
import type { TasksEnv } from "./env.ts";

export const operation = operationsOf<TasksEnv>();
