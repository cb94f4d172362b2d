import { describeOperations, type NamedSchemas, type Topic } from "#shared/operation/open-api.ts";
import { Checkin } from "./checkin/schema.ts";
import { Form, FormFile } from "./form/schema.ts";
import { ChangedFormTemplate, FormTemplate, NewFormTemplate } from "./form/template/schema.ts";
import { operations } from "./operations.ts";
import {
  ChangedRouteSchedule,
  ChangedStopSchedule,
  CheckpointSchedule,
  NewRouteSchedule,
  NewStopSchedule,
  RouteSchedule,
} from "./schedule/route/schema.ts";
import { ChangedSchedule, NewSchedule, Schedule } from "./schedule/schema.ts";
import { ChangedCheckpoint, Checkpoint, NewCheckpoint } from "./task/checkpoint/schema.ts";
import { HistoryEntry as TaskHistoryEntry } from "./task/history/schema.ts";
import { ChangedRoute, NewRoute, NewStop, Route } from "./task/route/schema.ts";
import { ChangedTask, NewTask, Task } from "./task/schema.ts";

const TOPICS: Topic[] = [
  { name: "Tasks", description: "Places to visit within a time, assigned to trackers.", paths: ["/task"] },
  {
    name: "Routes",
    description: "Tasks with several checkpoints, which are visited in order.",
    paths: ["/task/route", "/task/checkpoint"],
  },
  {
    name: "Schedules",
    description: "Schedules that make tasks and routes on days of the week or the month.",
    paths: ["/task/schedule"],
  },
  {
    name: "Forms",
    description: "Forms that people in the field fill in, and their templates.",
    paths: ["/form", "/task/form"],
  },
  {
    name: "Check-ins",
    description: "Reports of people in the field from their position, with photos and forms.",
    paths: ["/checkin"],
  },
  {
    name: "Records",
    description: "Proofs that check-ins and forms were not changed.",
    paths: ["/checkin/record", "/checkin/verify", "/form/record"],
  },
  { name: "Deliveries", description: "Tasks that a public page shows by their external id.", paths: ["/delivery"] },
  {
    name: "Work without a network",
    description: "Sending work that a phone stored offline, and loading its data.",
    paths: ["/sync"],
  },
];

const NAMED: NamedSchemas = {
  ChangedCheckpoint,
  ChangedFormTemplate,
  ChangedRoute,
  ChangedRouteSchedule,
  ChangedSchedule,
  ChangedStopSchedule,
  CheckpointSchedule,
  ChangedTask,
  Checkin,
  Checkpoint,
  Form,
  FormFile,
  FormTemplate,
  NewCheckpoint,
  NewFormTemplate,
  NewRoute,
  NewRouteSchedule,
  NewSchedule,
  NewStopSchedule,
  NewRouteCheckpoint: NewStop,
  NewTask,
  Route,
  RouteSchedule,
  Schedule,
  Task,
  TaskHistoryEntry,
};

export function describe() {
  return describeOperations(operations, { topics: TOPICS, named: NAMED });
}
