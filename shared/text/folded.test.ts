import { expect, test } from "vitest";
import { folded } from "./folded.ts";

test.each([
  ["Ärger", "arger"],
  ["ЖУК", "жук"],
  ["İzmir", "izmir"],
  ["ısı", "isi"],
  ["Straße", "strasse"],
  ["ﬁlm", "film"],
  ["Ångström", "angstrom"],
])("folded turns %s into %s", (text, found) => expect(folded(text)).toBe(found));
