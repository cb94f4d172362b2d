import type { ServiceEnv } from "#shared/operation.ts";
import type { AuditLog } from "../../../gateway/src/index.ts";
import type FleetService from "../../fleet/src/index.ts";

export type TasksEnv = ServiceEnv & {
  FLEET: Service<FleetService>;
  AUDIT: Service<AuditLog>;
  /** For how long changes are collected before the audit log hears of them. */
  AUDIT_DELAY_SECONDS: string;
};
