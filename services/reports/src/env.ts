import type { ServiceEnv } from "#shared/operation/declaration.ts";

export type ReportsEnv = ServiceEnv & {
  /** The files of the API reference. */
  REFERENCE: Fetcher;
};
