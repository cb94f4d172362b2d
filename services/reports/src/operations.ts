import type { Operation } from "#shared/operation.ts";
import type { ReportsEnv } from "./env.ts";

export const operations: Operation<ReportsEnv>[] = [];
