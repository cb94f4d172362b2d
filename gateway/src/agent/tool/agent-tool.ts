import * as z from "zod";
import { IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_ERROR } from "#shared/database/idempotency/keyed-call.ts";
import type { AgentCaller } from "./agent-caller.ts";

/** A tool that agents call. Its answer is shown to a language model: small, with names and local times. */
export type AgentTool = {
  name: string;
  description: string;
  input: z.ZodObject;
  /** Whether the tool changes something: only permitted API keys may call it. */
  writes: boolean;
  run(input: Record<string, unknown>, caller: AgentCaller): Promise<object>;
};

type Declaration<Input extends z.ZodObject> = {
  description: string;
  input: Input;
  writes?: true;
  run(input: z.output<Input>, caller: AgentCaller): Promise<object>;
};

export function agentTool<Input extends z.ZodObject>(
  name: string,
  { description, input, writes, run }: Declaration<Input>,
): AgentTool {
  // The server parses the arguments with `input` before it runs the tool.
  return {
    name,
    description,
    input,
    writes: writes === true,
    run: (given, caller) => run(given as z.output<Input>, caller),
  };
}

/** A time in the caller's time zone. The operation that gets it checks its form. */
export function localTime() {
  return z.string().max(40).describe("YYYY-MM-DD HH:MM:SS, local time");
}

export function trackerIds() {
  return z.array(z.int()).min(1).max(500);
}

/** The `cursor` of the previous answer, to read on. */
export function cursor() {
  return z
    .string()
    .regex(/^\d{1,9}$/, { error: "must be the cursor of an answer" })
    .optional();
}

/** Makes a change take effect once, however often the agent repeats it. */
export function idempotencyKey() {
  return z
    .string()
    .regex(IDEMPOTENCY_KEY, { error: IDEMPOTENCY_KEY_ERROR })
    .describe("a random text; repeat it to repeat the call safely");
}
