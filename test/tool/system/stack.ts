import { inject } from "vitest";
import { controls, type System } from "./controls.ts";
import type {} from "./lending.ts";

/** Undefined in a run without tests of the system, which must still be able to load drivers of calls. */
const addresses = inject("system") ?? { origin: "", baseUrl: "", controlUrl: "" };

/** The system that all tests of this run share. */
export const stack: System = { ...addresses, ...controls(addresses) };
