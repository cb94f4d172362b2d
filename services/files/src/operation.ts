import { operationsOf } from "#shared/operation.ts";
import type { FilesEnv } from "./env.ts";

export const operation = operationsOf<FilesEnv>();
