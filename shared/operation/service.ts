import type { Principal } from "../caller/principal.ts";
import { type Backlog, type Queues, selectBacklogs } from "../database/backlog.ts";
import { databaseAnswers, openDatabase } from "../database/open.ts";
import type { Answer, Operation, ReadRequest, ServiceEnv } from "./declaration.ts";
import type { Description } from "./open-api.ts";
import { type ServeOptions, serve } from "./serve.ts";
import { ServiceEntrypoint } from "./service-entrypoint.ts";

/** Base class of a service's entrypoint; RPC methods for other Workers stand in the subclass. */
export function serviceOf<Env extends ServiceEnv>(
  operations: Operation<Env>[],
  describe: () => Description,
  queues: Queues,
  serving: ServeOptions<Env>,
) {
  const serveCall = serve(operations, serving);
  // Constant until the next deployment.
  let description: Description | undefined;

  return class extends ServiceEntrypoint<Env> {
    handle(request: ReadRequest, principal: Principal): Promise<Answer> {
      return serveCall(request, principal, this.env);
    }

    async describe(): Promise<Description> {
      description ??= describe();
      return description;
    }

    async silentDatabases(): Promise<string[]> {
      return (await databaseAnswers(this.env)) ? [] : ["database"];
    }

    backlogs(): Promise<Backlog[]> {
      return selectBacklogs(openDatabase(this.env), queues);
    }
  };
}
