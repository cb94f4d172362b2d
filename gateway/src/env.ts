import type { DatabaseEnv } from "#shared/database.ts";
import type FleetService from "../../services/fleet/src/index.ts";

export type GatewayEnv = DatabaseEnv & {
  FLEET: Service<FleetService>;
  TASKS: Service<FleetService>;
  GEO: Service<FleetService>;
  FILES: Service<FleetService>;
  REPORTS: Service<FleetService>;
};
