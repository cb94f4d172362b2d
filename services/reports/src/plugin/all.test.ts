import { expect, test } from "vitest";
import { REPORT_PLUGINS } from "#shared/contract/report-plugin.ts";
import { PLUGINS } from "./all.ts";

test("plugin/list names the report plugins that exist, and no other", () => {
  const ids = Object.keys(REPORT_PLUGINS).map(Number);
  expect([...PLUGINS.keys()].toSorted((one, other) => one - other)).toEqual(ids);
});
