import type { TagCarrier } from "./tag.ts";

/** Tags of tasks, routes and checkpoints among them, and of schedules. */
export type TaskTags = TagCarrier<"task" | "task_schedule">;
