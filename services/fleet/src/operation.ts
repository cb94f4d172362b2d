import { operationsOf } from "#shared/operation/declaration.ts";
import type { FleetEnv } from "./env.ts";

export const operation = operationsOf<FleetEnv>();
