import * as z from "zod";
import { invalid } from "#shared/error/api-error.ts";
import type { AgentCaller } from "./agent-caller.ts";
import { agentTool, cursor, idempotencyKey, localTime, trackerIds } from "./agent-tool.ts";
import { offsetOf, toAnswerPage } from "./answer-page.ts";

export const tasks = agentTool("tasks", {
  description: "Tasks by status, time, tracker or text: label, status, address, time window, tracker, arrival.",
  input: z.object({
    statuses: z.array(z.enum(["unassigned", "assigned", "done", "failed", "delayed", "arrived", "faulty"])).optional(),
    from: localTime().optional(),
    to: localTime().optional(),
    tracker_ids: trackerIds().optional(),
    text: z.string().min(1).max(100).optional(),
    cursor: cursor(),
  }),
  async run({ statuses, from, to, tracker_ids, text, cursor }, caller) {
    const offset = offsetOf(cursor);
    const search = { statuses, from, to, trackers: tracker_ids, filter: text, offset, limit: TASKS_PER_PAGE };
    const { list, count } = await caller.read("/task/list", search, Tasks);
    const shown = list.map(({ location, description, ...task }) => ({
      ...task,
      address: location.address,
      description: description.slice(0, MAX_DESCRIPTION) || undefined,
    }));
    return { count, ...toAnswerPage(shown, offset, offset + list.length < count) };
  },
});

export const createTask = agentTool("create_task", {
  description:
    "Creates a task at a position or address, for a tracker or unassigned. Needs an API key that permits changes.",
  input: z.object({
    label: z.string().min(1).max(200),
    description: z.string().max(1024).default(""),
    address: z.string().min(1).max(255).optional().describe("instead of lat and lng"),
    lat: z.number().min(-90).max(90).optional(),
    lng: z.number().min(-180).max(180).optional(),
    radius: z.int().min(1).max(10_000).default(150).describe("meters"),
    from: localTime(),
    to: localTime(),
    tracker_id: z.int().optional(),
    idempotency_key: idempotencyKey(),
  }),
  writes: true,
  async run({ label, description, radius, from, to, tracker_id, idempotency_key, ...position }, caller) {
    const location = { ...(await locate(position, caller)), radius };
    const task = { label, description, location, from, to, ...(tracker_id === undefined ? {} : { tracker_id }) };
    return JSON.parse(await caller.callText("/task/create", { task }, idempotency_key));
  },
});

type Position = { address?: string; lat?: number; lng?: number };

/** The position and its address; the first hit of the geocoder for an address without a position. */
async function locate({ address, lat, lng }: Position, caller: AgentCaller) {
  if (lat !== undefined && lng !== undefined) return { lat, lng, address: address ?? "" };
  if (address === undefined) throw invalid("address", "is needed without lat and lng");
  const { locations } = await caller.read("/geocoder/search_address", { q: address }, Locations);
  const [first] = locations;
  if (!first) throw invalid("address", "was not found");
  return first;
}

const Locations = z.object({ locations: z.array(z.object({ lat: z.number(), lng: z.number(), address: z.string() })) });
const Tasks = z.object({
  count: z.int(),
  list: z.array(
    z.object({
      id: z.int(),
      label: z.string(),
      description: z.string(),
      status: z.string(),
      tracker_id: z.int().nullable(),
      from: z.string(),
      to: z.string(),
      arrival_date: z.string().nullable(),
      location: z.object({ address: z.string() }),
    }),
  ),
});
const TASKS_PER_PAGE = 50;
const MAX_DESCRIPTION = 200;
