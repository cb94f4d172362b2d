import { WorkerEntrypoint } from "cloudflare:workers";
import { CONTRACT_VERSION } from "#shared/operation/contract-version.ts";
import { ApiError } from "../error/api-error.ts";

/** Bindings of other Workers show their contract version; the platform, which fires crons and delivers queues, shows none. */
type CallerProps = { contract?: number } | undefined;

/** An entrypoint for other Workers. Calls of a Worker with another version of the contracts answer 14. */
export class ServiceEntrypoint<Env> extends WorkerEntrypoint<Env> {
  constructor(context: ExecutionContext, env: Env) {
    super(context, env);
    const { contract = CONTRACT_VERSION } = (context.props as CallerProps) ?? {}; // by the caller's wrangler.toml
    if (contract !== CONTRACT_VERSION) throw new ApiError(14);
  }
}
