import { expect, test } from "vitest";
import { nobody, type Principal } from "#shared/caller/principal.ts";
import { maySee } from "./filter.ts";

const READER: Principal = { ...nobody("none"), kind: "subuser", rights: ["reports"], scope: [1, 2] };

test.each([
  ["while it sees all trackers of the report", { trackers: [1, 2] }, {}, true],
  ["not when it does not see one of them", { trackers: [1, 3] }, {}, false],
  ["when it sees all trackers of the account", { trackers: [1, 3] }, { scope: "all" as const }, true],
  ["not without the right to reports", { trackers: [1] }, { rights: [] }, false],
  ["not when the trackers were too many for the body", { is_shortened: true }, {}, false],
])("a delivery of a sub-user's own report goes to the sub-user %s", (_, data, more, isVisible) => {
  const delivery = { type: "report.finished", tracker_id: null, body: JSON.stringify({ data: { id: 5, ...data } }) };
  expect(maySee({ ...READER, ...more }, delivery)).toBe(isVisible);
});
