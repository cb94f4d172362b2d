import type { Principal } from "#shared/caller/principal.ts";
import type { ReaderDirectory as ReaderDirectoryContract } from "#shared/contract/gateway.ts";
import { openDatabase } from "#shared/database/open.ts";
import { ServiceEntrypoint } from "#shared/operation/service-entrypoint.ts";
import type { GatewayEnv } from "../../env.ts";
import { loadUserPrincipals } from "../guard/principal-queries.ts";

/** Principals of users for whom services do scheduled work. No public route leads here. */
export class ReaderDirectory extends ServiceEntrypoint<GatewayEnv> implements ReaderDirectoryContract {
  async principalsOf(user_ids: number[]): Promise<Record<number, Principal | "closed">> {
    const users = await loadUserPrincipals(openDatabase(this.env), this.env, user_ids);
    return Object.fromEntries([...users].map(([id, principal]) => [id, principal ?? "closed"]));
  }
}
