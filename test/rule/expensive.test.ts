import { expect, test } from "vitest";
import { EXPENSIVE_OPERATIONS, isExpensive } from "../../gateway/src/receive/turn/expensive-operations.ts";
import { apiDocument } from "../../scripts/api-document.ts";
import { DECLARED } from "../tool/call/declared.ts";

test("the gateway lists the operations that declare to be expensive, and no others", () => {
  const declared = [...DECLARED.values()].flatMap(({ path, expensive }) => (expensive ? [[path, expensive]] : []));
  expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(EXPENSIVE_OPERATIONS));
});

test("isExpensive counts a call of checkin/list as expensive only if it names a format", () => {
  const calls = [
    { typed: {}, textual: {} },
    { typed: { format: "" }, textual: {} },
    { typed: { format: "pdf" }, textual: {} },
  ];
  expect(calls.map((call) => isExpensive("/checkin/list", call))).toEqual([false, false, true]);
  expect(isExpensive("/checkin/list", { typed: {}, textual: { format: "xlsx" } })).toBe(true);
});

test("the API description names 15 and the turns at each expensive operation", () => {
  const { paths } = apiDocument();
  for (const path of EXPENSIVE_OPERATIONS.keys()) {
    expect(paths[path], path).toMatchObject({
      post: {
        description: expect.stringContaining("take turns with the other expensive calls of the account"),
        responses: { 429: { description: expect.stringContaining("15: ") } },
      },
    });
  }
});
