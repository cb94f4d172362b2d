import { LIMITED, type Limits } from "../../../shared/caller/principal.ts";

/** Limits that no test reaches, for principals that tests make themselves. */
export const AMPLE_LIMITS = Object.fromEntries(LIMITED.map((thing) => [thing, 1_000_000])) as Limits; // all of its names are in LIMITED
