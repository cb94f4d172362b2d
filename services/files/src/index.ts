import { WorkerEntrypoint } from "cloudflare:workers";
import { databaseAnswers } from "#shared/database.ts";
import type { FilesEnv } from "./env.ts";

export default class FilesService extends WorkerEntrypoint<FilesEnv> {
  healthy() {
    return databaseAnswers(this.env);
  }
}
