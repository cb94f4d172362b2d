import type { Operation } from "#shared/operation/declaration.ts";
import type { FilesEnv } from "./env.ts";
import { readFileStats } from "./file/operations.ts";
import { listImports, readImport } from "./import/operations.ts";
import { parseSpreadsheet } from "./sheet/operations.ts";

export const operations: Operation<FilesEnv>[] = [readFileStats, parseSpreadsheet, listImports, readImport];
