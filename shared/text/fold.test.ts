import { expect, test } from "vitest";
import { foldText } from "./fold.ts";

test.each([
  ["Ärger", "arger"],
  ["ЖУК", "жук"],
  ["İzmir", "izmir"],
  ["ısı", "isi"],
  ["Straße", "strasse"],
  ["ﬁlm", "film"],
  ["Ångström", "angstrom"],
])("foldText turns %s into %s", (text, found) => expect(foldText(text)).toBe(found));
