import { inject } from "vitest";
import type {} from "./stack-setup.ts";
import { controls, type System } from "./system.ts";

/** Nowhere, for tests that start systems of their own. */
const addresses = inject("system") ?? { origin: "", baseUrl: "", controlUrl: "" };

/** The system that all tests of this run share. */
export const stack: System = { ...addresses, ...controls(addresses) };
