import type { AgentTool } from "./tool/agent-tool.ts";
import { checkins } from "./tool/checkin.ts";
import { events } from "./tool/event.ts";
import { find } from "./tool/find.ts";
import { now } from "./tool/now.ts";
import { callOperation, searchOperations } from "./tool/operation.ts";
import { whereIs } from "./tool/position.ts";
import { readReport, runReport } from "./tool/report.ts";
import { tryRule } from "./tool/rule.ts";
import { createTask, tasks } from "./tool/task.ts";
import { trips } from "./tool/trip.ts";
import { whoWasHere, zoneVisits } from "./tool/visit.ts";

/** Every tool, in the order in which agents see them. */
export const TOOLS: AgentTool[] = [
  ...[now, find, whereIs, trips, zoneVisits, whoWasHere, events],
  ...[tasks, createTask, checkins, tryRule, runReport, readReport],
  ...[searchOperations, callOperation],
];
