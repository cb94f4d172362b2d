import type { Operation } from "#shared/operation/declaration.ts";
import type { ReportsEnv } from "./env.ts";

export const operations: Operation<ReportsEnv>[] = [];
