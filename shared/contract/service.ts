import type { Principal } from "../caller/principal.ts";
import type { Backlog } from "../database/backlog.ts";
import type { Answer, ReadRequest } from "../operation/declaration.ts";
import type { Description } from "../operation/open-api.ts";

/** What every service answers the gateway. No public route leads there, so `principal` is trusted. */
export interface ApiService {
  /** Whatever goes wrong is an answer too: what is thrown all the same means that the service is not there. */
  handle(request: ReadRequest, principal: Principal): Promise<Answer>;
  /** Its part of the OpenAPI document. */
  describe(): Promise<Description>;
  /** Those of its databases that do not answer, as people are told of them: none where all is well. */
  silentDatabases(): Promise<string[]>;
  /** What waits to be told or done. */
  backlogs(): Promise<Backlog[]>;
}

/** Durable Objects of one kind: there is one for each name. */
export interface Named<Contract> {
  getByName(name: string): Contract;
}
