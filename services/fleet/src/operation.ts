import { operationsOf } from "#shared/operation.ts";
import type { FleetEnv } from "./env.ts";

export const operation = operationsOf<FleetEnv>();
