import { WorkerEntrypoint } from "cloudflare:workers";
import { databaseAnswers } from "#shared/database.ts";
import { pathItems } from "#shared/open-api.ts";
import type { Asked } from "#shared/operation.ts";
import type { Principal } from "#shared/principal.ts";
import { serve } from "#shared/serve.ts";
import type { ReportsEnv } from "./env.ts";
import { operations } from "./operations.ts";

const serveCall = serve(operations);

/** All that other Workers may ask. No public route leads here, so `principal` is trusted. */
export default class ReportsService extends WorkerEntrypoint<ReportsEnv> {
  handle(asked: Asked, principal: Principal) {
    return serveCall(asked, principal, this.env);
  }

  describe() {
    return pathItems(operations);
  }

  healthy() {
    return databaseAnswers(this.env);
  }
}
