import type { TestProject } from "vitest/node";
import { type Addresses, startSystem } from "./system.ts";

declare module "vitest" {
  interface ProvidedContext {
    system: Addresses;
  }
}

/** One system for all test files of a run: each test makes accounts of its own in it. */
export default async function setup(project: TestProject) {
  // What is told after answers would take the time of other tests: those that wait for it have systems of their own.
  const { origin, baseUrl, controlUrl, stop } = await startSystem({
    AUDIT_DELAY_SECONDS: "3600",
    // Large cities alone: they are loaded in a moment.
    GAZETTEER_POPULATION: "100000",
  });
  project.provide("system", { origin, baseUrl, controlUrl });
  return stop;
}
