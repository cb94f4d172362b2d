import { inject } from "vitest";
import type {} from "./stack-setup.ts";
import { controls, type System } from "./system.ts";

const addresses = inject("system");

/** The system that all tests of this run share. */
export const stack: System = { ...addresses, ...controls(addresses) };
