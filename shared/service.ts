import { WorkerEntrypoint } from "cloudflare:workers";
import { databaseAnswers } from "./database.ts";
import { pathItems } from "./open-api.ts";
import type { Answer, Asked, Operation, ServiceEnv } from "./operation.ts";
import type { Principal } from "./principal.ts";
import { serve } from "./serve.ts";

/**
 * What every service answers the gateway; what other Workers may ask besides stands in its own class. No public route
 * leads there, so `principal` is trusted.
 */
export function serviceOf<Env extends ServiceEnv>(operations: Operation<Env>[]) {
  const serveCall = serve(operations);

  return class extends WorkerEntrypoint<Env> {
    handle(asked: Asked, principal: Principal): Promise<Answer> {
      return serveCall(asked, principal, this.env);
    }

    /** The OpenAPI description of its operations. */
    describe(): Record<string, unknown> {
      return pathItems(operations);
    }

    /** Whether its database answers. */
    healthy(): Promise<boolean> {
      return databaseAnswers(this.env);
    }
  };
}
