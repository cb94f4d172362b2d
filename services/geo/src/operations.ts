import type { Operation } from "#shared/operation.ts";
import type { GeoEnv } from "./env.ts";

export const operations: Operation<GeoEnv>[] = [];
