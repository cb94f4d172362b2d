import type { Principal } from "../caller/principal.ts";
import type { Backlog } from "../database/backlog.ts";
import type { Answer, ReadRequest } from "../operation/declaration.ts";
import type { Description } from "../operation/open-api.ts";

/** The interface of every service for the gateway. No public route leads to it, so `principal` is trusted. */
export interface ApiService {
  /** Runs the operation. Failures are answers; an exception means that the service is unavailable. */
  handle(request: ReadRequest, principal: Principal): Promise<Answer>;
  /** The service's part of the OpenAPI document. */
  describe(): Promise<Description>;
  /** Names of the service's databases that do not answer; empty when all do. */
  silentDatabases(): Promise<string[]>;
  /** Sizes of the service's queues. */
  backlogs(): Promise<Backlog[]>;
}

/** A namespace of Durable Objects: one object per name. */
export interface Named<Contract> {
  getByName(name: string): Contract;
}
