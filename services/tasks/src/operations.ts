import type { Operation } from "#shared/operation/declaration.ts";
import { operations as checkinForm } from "./checkin/form/operations.ts";
import { operations as checkinImage } from "./checkin/image/operations.ts";
import { operations as checkin } from "./checkin/operations.ts";
import { operations as delivery } from "./delivery/operations.ts";
import type { TasksEnv } from "./env.ts";
import { operations as form } from "./form/operations.ts";
import { operations as formTemplate } from "./form/template/operations.ts";
import { ITEM_RULES } from "./item-rules.ts";
import { operations as record } from "./record/operations.ts";
import { operations as anySchedule } from "./schedule/any/operations.ts";
import { operations as schedule } from "./schedule/operations.ts";
import { operations as scheduleProposal } from "./schedule/proposal/operations.ts";
import { operations as scheduleRoute } from "./schedule/route/operations.ts";
import { createOperations as syncWith } from "./sync/operations.ts";
import { operations as syncPull } from "./sync/pull/operations.ts";
import { operations as taskAny } from "./task/any/operations.ts";
import { operations as taskBatch } from "./task/batch/operations.ts";
import { operations as taskCheckpoint } from "./task/checkpoint/operations.ts";
import { operations as taskForm } from "./task/form/operations.ts";
import { operations as taskHistory } from "./task/history/operations.ts";
import { operations as task } from "./task/operations.ts";
import { operations as taskRoute } from "./task/route/operations.ts";
import { operations as taskTour } from "./task/tour/operations.ts";

export const operations: Operation<TasksEnv>[] = [
  ...task,
  ...taskBatch,
  ...taskAny,
  ...taskHistory,
  ...taskForm,
  ...taskRoute,
  ...taskTour,
  ...taskCheckpoint,
  ...schedule,
  ...anySchedule,
  ...scheduleRoute,
  ...scheduleProposal,
  ...form,
  ...formTemplate,
  ...checkin,
  ...checkinForm,
  ...checkinImage,
  ...delivery,
  ...syncWith(ITEM_RULES),
  ...syncPull,
  ...record,
];
