import type { ServiceEnv } from "#shared/operation.ts";
import type GeoService from "../../geo/src/index.ts";

export type FleetEnv = ServiceEnv & {
  GEO: Service<GeoService>;
  /** How many rows a batch conversion reads. */
  BATCH_ROWS: string;
};
