import { pathToFileURL } from "node:url";
import { inject } from "vitest";
import type {} from "../system/lending.ts";
import type { EVERY_OPERATION } from "./every-operation.ts";

export type { Declared } from "./every-operation.ts";

/** Undefined in a run without tests of the system, which must still be able to load drivers of calls. */
const bundle = inject("operations");

/** Every operation that there is, by its path. */
export const DECLARED: typeof EVERY_OPERATION = bundle
  ? (await import(pathToFileURL(bundle).href)).EVERY_OPERATION
  : (await import("./every-operation.ts")).EVERY_OPERATION;
