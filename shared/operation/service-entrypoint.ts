import { WorkerEntrypoint } from "cloudflare:workers";
import { CONTRACT_VERSION } from "#shared/operation/contract-version.ts";
import { ApiError } from "../error/api-error.ts";
import { withCountedLinks } from "../hops/links.ts";
import { logMethods } from "./method-log.ts";

/** Bindings of other Workers show their contract version; the platform, which fires crons and delivers queues, shows none. */
type CallerProps = { contract?: number } | undefined;

/** An entrypoint for other Workers. Calls of a Worker with another version of the contracts answer 14. */
export abstract class ServiceEntrypoint<Env extends object> extends WorkerEntrypoint<Env> {
  /** The Worker's name in the log. */
  abstract readonly worker: string;

  constructor(context: ExecutionContext, env: Env) {
    super(context, withCountedLinks(env));
    const { contract = CONTRACT_VERSION } = (context.props as CallerProps) ?? {}; // by the caller's wrangler.toml
    if (contract !== CONTRACT_VERSION) throw new ApiError(14);
    logMethods(new.target.prototype, ServiceEntrypoint.prototype);
  }
}
