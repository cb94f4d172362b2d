import type { Operation } from "#shared/operation/declaration.ts";
import type { ReportsEnv } from "./env.ts";
import { operations as report } from "./report/operations.ts";
import { operations as schedule } from "./schedule/operations.ts";

export const operations: Operation<ReportsEnv>[] = [...report, ...schedule];
