import { operationsOf } from "#shared/operation.ts";
import type { GatewayEnv } from "./env.ts";

export const operation = operationsOf<GatewayEnv>();
