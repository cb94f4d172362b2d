import type { ServiceEnv } from "#shared/operation.ts";

export type ReportsEnv = ServiceEnv;
