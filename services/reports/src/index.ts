import { WorkerEntrypoint } from "cloudflare:workers";
import { databaseAnswers } from "#shared/database.ts";
import type { ReportsEnv } from "./env.ts";

export default class ReportsService extends WorkerEntrypoint<ReportsEnv> {
  healthy() {
    return databaseAnswers(this.env);
  }
}
