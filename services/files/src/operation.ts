import { operationsOf } from "#shared/operation/declaration.ts";
import type { FilesEnv } from "./env.ts";

export const operation = operationsOf<FilesEnv>();
