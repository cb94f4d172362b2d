import { operations as entry } from "./entry/operations.ts";
import { operations as proposal } from "./proposal/operations.ts";

export const operations = [...entry, ...proposal];
