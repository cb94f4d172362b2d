import type { Operation } from "#shared/operation.ts";
import { readTask } from "./any/operations.ts";
import {
  changeCheckpoint,
  changeIntoTask,
  createCheckpoint,
  listCheckpoints,
  readCheckpoint,
  removeCheckpoint,
} from "./checkpoint/operations.ts";
import type { TasksEnv } from "./env.ts";
import {
  assignRouteTracker,
  changeIntoCheckpoint,
  changeRoute,
  createRoute,
  listRoutes,
  readRoute,
  removeRoute,
} from "./route/operations.ts";
import { changeSchedule, createSchedule, listSchedules, readSchedule, removeSchedule } from "./schedule/operations.ts";
import { assignTracker, changeTask, createTask, getTaskCount, listTasks, removeTask } from "./task/operations.ts";
import { listTaskHistory } from "./task-history/operations.ts";

export const operations: Operation<TasksEnv>[] = [
  createTask,
  changeTask,
  assignTracker,
  removeTask,
  readTask,
  getTaskCount,
  listTasks,
  listTaskHistory,
  changeIntoCheckpoint,
  createRoute,
  changeRoute,
  assignRouteTracker,
  removeRoute,
  readRoute,
  listRoutes,
  createCheckpoint,
  changeCheckpoint,
  removeCheckpoint,
  changeIntoTask,
  readCheckpoint,
  listCheckpoints,
  createSchedule,
  changeSchedule,
  removeSchedule,
  readSchedule,
  listSchedules,
];
