import type { ServiceEnv } from "#shared/operation/declaration.ts";

export type ReportsEnv = ServiceEnv;
