import type { Operation } from "#shared/operation/declaration.ts";
import type { FilesEnv } from "./env.ts";
import { operations as file } from "./file/operations.ts";
import { operations as imports } from "./import/operations.ts";
import { operations as sheet } from "./sheet/operations.ts";

export const operations: Operation<FilesEnv>[] = [...file, ...sheet, ...imports];
