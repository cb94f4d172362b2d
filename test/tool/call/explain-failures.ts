import { afterEach } from "vitest";
import { explainCalls } from "./call-record.ts";

// A setup file of Vitest: a failed test prints the calls that led to the failure.
afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  const names: string[] = [task.name];
  for (let suite = task.suite; suite?.name; suite = suite.suite) names.unshift(suite.name);
  const explanation = await explainCalls(names.join(" > "));
  if (explanation) console.error(`Calls of the failed test "${task.name}":\n${explanation}`);
});
