import type { DatabaseEnv } from "#shared/database.ts";

export type FleetEnv = DatabaseEnv;
