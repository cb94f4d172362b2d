import { expect, test } from "vitest";
import { operations as gateway } from "../../gateway/src/operations.ts";
import { operations as files } from "../../services/files/src/operations.ts";
import { operations as fleet } from "../../services/fleet/src/operations.ts";
import { operations as geo } from "../../services/geo/src/operations.ts";
import { operations as reports } from "../../services/reports/src/operations.ts";
import { operations as tasks } from "../../services/tasks/src/operations.ts";
import contract from "../fixtures/contract/operations.json" with { type: "json" };

const services = { gateway, fleet, tasks, geo, files, reports };
const declared = new Map(
  Object.entries(services).flatMap(([service, operations]) =>
    operations.map((operation) => [operation.path, { ...operation, service }] as const),
  ),
);

test("operations are declared once for each path", () => {
  expect(declared.size).toBe(Object.values(services).flat().length);
});

/** Formats that an operation offers besides those of the contract. */
const BEYOND: Record<string, string[]> = { "/report/tracker/download": ["csv"] };

test.each(contract)("operation $path is declared as the contract has it", ({ path, service, right, reply, errors }) => {
  const operation = declared.get(path);
  expect(operation?.service).toBe(service);
  expect(operation?.right ?? null).toBe(right);
  const more = BEYOND[path] ?? [];
  expect((operation?.reply ?? ["json"]).toSorted()).toEqual([...reply.split("|"), ...more].toSorted());
  expect(operation?.errors).toEqual(expect.arrayContaining(errors));
});

test.each([...declared.values()])(
  "operation $path has a summary and names each of its errors once",
  ({ errors, summary }) => {
    expect(new Set(errors).size).toBe(errors.length);
    expect(summary).not.toBe("");
  },
);
