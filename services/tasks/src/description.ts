import { describeOperations, type NamedSchemas, type Topic } from "#shared/operation/open-api.ts";
import { Checkin } from "./checkin/schema.ts";
import { Form, FormFile } from "./form/schema.ts";
import { ChangedFormTemplate, FormTemplate, NewFormTemplate } from "./form/template/schema.ts";
import { operations } from "./operations.ts";
import { ChangedSchedule, NewSchedule, Schedule } from "./schedule/schema.ts";
import { ChangedCheckpoint, Checkpoint, NewCheckpoint } from "./task/checkpoint/schema.ts";
import { HistoryEntry as TaskHistoryEntry } from "./task/history/schema.ts";
import { ChangedRoute, NewRoute, NewStop, Route } from "./task/route/schema.ts";
import { ChangedTask, NewTask, Task } from "./task/schema.ts";

const TOPICS: Topic[] = [
  { name: "Tasks", description: "Places to visit within a time, assigned to trackers.", paths: ["/task"] },
  {
    name: "Routes",
    description: "Tasks of several checkpoints, which are visited one after the other.",
    paths: ["/task/route", "/task/checkpoint"],
  },
  { name: "Schedules", description: "What makes tasks on days of the week or the month.", paths: ["/task/schedule"] },
  {
    name: "Forms",
    description: "What people in the field fill in, and the templates of it.",
    paths: ["/form", "/task/form"],
  },
  { name: "Check-ins", description: "What people in the field report of where they are.", paths: ["/checkin"] },
];

const NAMED: NamedSchemas = {
  ChangedCheckpoint,
  ChangedFormTemplate,
  ChangedRoute,
  ChangedSchedule,
  ChangedTask,
  Checkin,
  Checkpoint,
  Form,
  FormFile,
  FormTemplate,
  NewCheckpoint,
  NewFormTemplate,
  NewRoute,
  NewSchedule,
  NewRouteCheckpoint: NewStop,
  NewTask,
  Route,
  Schedule,
  Task,
  TaskHistoryEntry,
};

export function describe() {
  return describeOperations(operations, { topics: TOPICS, named: NAMED });
}
