import type { Named } from "#shared/contract/service.ts";
import type { ServiceEnv } from "#shared/operation/declaration.ts";
import type { Turns } from "./turn/turn.ts";

export type ReportsEnv = ServiceEnv & {
  /** The files of the API reference. */
  REFERENCE: Fetcher;
  TURNS: Named<Turns>;
  /** JSON: for each format the cells and characters of the longest document. */
  DOCUMENT_LIMITS: string;
};
