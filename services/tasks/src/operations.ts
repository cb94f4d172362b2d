import type { Operation } from "#shared/operation/declaration.ts";
import type { TasksEnv } from "./env.ts";
import { changeSchedule, createSchedule, listSchedules, readSchedule, removeSchedule } from "./schedule/operations.ts";
import { readTask } from "./task/any/operations.ts";
import {
  changeCheckpoint,
  changeIntoTask,
  createCheckpoint,
  listCheckpoints,
  readCheckpoint,
  removeCheckpoint,
} from "./task/checkpoint/operations.ts";
import { listTaskHistory } from "./task/history/operations.ts";
import { assignTracker, changeTask, createTask, getTaskCount, listTasks, removeTask } from "./task/operations.ts";
import {
  assignRouteTracker,
  changeIntoCheckpoint,
  changeRoute,
  createRoute,
  listRoutes,
  readRoute,
  removeRoute,
} from "./task/route/operations.ts";

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
