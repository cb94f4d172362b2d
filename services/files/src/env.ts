import type { ServiceEnv } from "#shared/operation.ts";
import type FleetService from "../../fleet/src/index.ts";

export type FilesEnv = ServiceEnv & {
  FLEET: Service<FleetService>;
  BUCKET: R2Bucket;
  /** How many rows of a sheet are read by whoever converts or imports it. */
  BATCH_ROWS: string;
  /** For how long parsed sheets are kept. */
  SHEET_DAYS: string;
};
