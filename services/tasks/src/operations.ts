import type { Operation } from "#shared/operation.ts";
import type { TasksEnv } from "./env.ts";

export const operations: Operation<TasksEnv>[] = [];
