import type { AuditEntry } from "#shared/caller/audit.ts";
import type { AuditLog as AuditLogContract } from "#shared/contract/gateway.ts";
import { openDatabase } from "#shared/database/open.ts";
import { ServiceEntrypoint } from "#shared/operation/service-entrypoint.ts";
import type { GatewayEnv } from "../env.ts";
import { announceEvents } from "../event/announce.ts";
import { insertEntries } from "./record-queries.ts";

/** The audit log, for services to record their changes by RPC. No public route leads here. */
export class AuditLog extends ServiceEntrypoint<GatewayEnv> implements AuditLogContract {
  readonly worker = "gateway";

  async record(entries: AuditEntry[]): Promise<void> {
    await insertEntries(openDatabase(this.env), entries);
    this.ctx.waitUntil(
      announceEvents(
        this.env,
        entries.map(({ account_id }) => account_id),
      ),
    );
  }
}
