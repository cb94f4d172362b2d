import { WorkerEntrypoint } from "cloudflare:workers";
import { databaseAnswers } from "#shared/database.ts";
import type { TasksEnv } from "./env.ts";

export default class TasksService extends WorkerEntrypoint<TasksEnv> {
  healthy() {
    return databaseAnswers(this.env);
  }
}
