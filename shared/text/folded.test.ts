import { expect, test } from "vitest";
import { anywhere, folded } from "./folded.ts";

test.each([
  ["Ärger", "arger"],
  ["ЖУК", "жук"],
  ["İzmir", "izmir"],
  ["ısı", "isi"],
  ["Straße", "strasse"],
  ["ﬁlm", "film"],
  ["Ångström", "angstrom"],
])("%s is found as %s", (text, found) => expect(folded(text)).toBe(found));

test("signs of the pattern language are looked for as themselves", () => {
  expect(anywhere("50%_\\")).toBe("%50\\%\\_\\\\%");
});
