import { operationsOf } from "#shared/operation.ts";
import type { GeoEnv } from "./env.ts";

export const operation = operationsOf<GeoEnv>();
