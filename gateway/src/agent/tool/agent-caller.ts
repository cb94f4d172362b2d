import type * as z from "zod";
import type { Principal } from "#shared/caller/principal.ts";
import type { StaffedTracker } from "#shared/contract/fleet.ts";
import type { VisibleTracker } from "#shared/contract/tracker/visible-tracker.ts";

export type Parameters = Record<string, unknown>;

/** The members of the OpenAPI document that agents search. */
export type ApiDocument = {
  paths: Record<string, Record<string, ApiMethod>>;
  components: { schemas: Record<string, unknown> };
};
export type ApiMethod = {
  summary: string;
  description?: string;
  tags: string[];
  requestBody?: { content: Record<string, { schema: unknown }> };
};

/** Calls operations for an agent: each counts against the rate of the agent's credential and has its rights and scope. */
export interface AgentCaller {
  readonly principal: Principal;
  /** The current time in the caller's time zone, `YYYY-MM-DD HH:MM:SS`. */
  localTime(): string;
  /** The answer of an operation as JSON text. Throws the `ApiError` with which the operation refuses the call. */
  callText(path: string, parameters: Parameters, idempotency_key?: string): Promise<string>;
  /** The members of an operation's answer that the schema names. */
  read<Answer extends z.ZodType>(path: string, parameters: Parameters, answer: Answer): Promise<z.output<Answer>>;
  /** Trackers that the caller sees, at most `most`, lowest ids first. */
  allTrackers(most: number): Promise<VisibleTracker[]>;
  /** The trackers among these ids that the caller sees, with employee and vehicle. */
  staffedTrackers(ids: number[]): Promise<StaffedTracker[]>;
  describeApi(): Promise<ApiDocument>;
}

/** Whether an agent with this credential may change something: its owner must have permitted it to the API key. */
export function mayWrite({ api_key }: Principal): boolean {
  return api_key?.agent_writes === true;
}
