import { WorkerEntrypoint } from "cloudflare:workers";
import type { AuditEntry } from "#shared/audit.ts";
import { openDatabase } from "#shared/database.ts";
import type { GatewayEnv } from "../env.ts";
import { putEntries } from "./record.ts";

/** What services may ask of the gateway. No public route leads here. */
export class AuditLog extends WorkerEntrypoint<GatewayEnv> {
  /** Once it has answered, the log has the entries, each once however often it is told. */
  async record(entries: AuditEntry[]) {
    await putEntries(openDatabase(this.env), entries);
  }
}
