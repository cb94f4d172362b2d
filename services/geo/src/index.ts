import { DurableObject, WorkerEntrypoint } from "cloudflare:workers";
import { databaseAnswers } from "#shared/database.ts";
import type { GeoEnv } from "./env.ts";

export class TrackerFeed extends DurableObject<GeoEnv> {}

export default class GeoService extends WorkerEntrypoint<GeoEnv> {
  healthy() {
    return databaseAnswers(this.env);
  }
}
