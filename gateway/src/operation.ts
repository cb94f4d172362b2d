import { operationsOf } from "#shared/operation/declaration.ts";
import type { GatewayEnv } from "./env.ts";

export const operation = operationsOf<GatewayEnv>();
