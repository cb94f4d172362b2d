import type { Operation } from "#shared/operation/declaration.ts";
import type { ReportsEnv } from "./env.ts";
import { operations as report } from "./report/operations.ts";

export const operations: Operation<ReportsEnv>[] = [...report];
