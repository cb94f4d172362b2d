import { operationsOf } from "#shared/operation/declaration.ts";
import type { ReportsEnv } from "./env.ts";

export const operation = operationsOf<ReportsEnv>();
