import { operationsOf } from "#shared/operation/declaration.ts";
import type { GeoEnv } from "./env.ts";

export const operation = operationsOf<GeoEnv>();
