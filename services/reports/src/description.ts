import { describeOperations } from "#shared/operation/open-api.ts";
import { operations } from "./operations.ts";

export function describe() {
  return describeOperations(operations, { topics: [], named: {} });
}
