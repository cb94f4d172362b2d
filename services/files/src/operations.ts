import type { Operation } from "#shared/operation.ts";
import type { FilesEnv } from "./env.ts";

export const operations: Operation<FilesEnv>[] = [];
