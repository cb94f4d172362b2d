import { operations as gateway } from "../../../gateway/src/operations.ts";
import { operations as files } from "../../../services/files/src/operations.ts";
import { operations as fleet } from "../../../services/fleet/src/operations.ts";
import { operations as geo } from "../../../services/geo/src/operations.ts";
import { operations as reports } from "../../../services/reports/src/operations.ts";
import { operations as tasks } from "../../../services/tasks/src/operations.ts";

/** Every operation of every Worker, by its path. System tests import them from the module that `bundleOperations` makes. */
export const EVERY_OPERATION = new Map(
  [gateway, fleet, tasks, geo, files, reports].flat().map((operation) => [operation.path, operation]),
);
export type Declared = typeof EVERY_OPERATION extends Map<string, infer Operation> ? Operation : never;
