import { WorkerEntrypoint } from "cloudflare:workers";
import { databaseAnswers } from "#shared/database.ts";
import type { FleetEnv } from "./env.ts";

export default class FleetService extends WorkerEntrypoint<FleetEnv> {
  healthy() {
    return databaseAnswers(this.env);
  }
}
