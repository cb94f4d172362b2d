import { expect, test } from "vitest";
import { RecentTexts } from "./recent-texts.ts";

test("RecentTexts drops the texts asked for longest ago, and keeps no text that would push out all others", () => {
  const texts = new RecentTexts(8);
  for (const key of ["a", "b", "c", "d"]) texts.store(key, key.repeat(2));
  expect(texts.get("a")).toBe("aa");
  texts.store("e", "ee");
  expect(["a", "b", "c", "d", "e"].map((key) => texts.get(key))).toEqual(["aa", undefined, "cc", "dd", "ee"]);
  texts.store("c", "c");
  texts.store("f", "f");
  expect(texts.get("a")).toBe("aa");
  texts.store("g", "ggg");
  expect(texts.get("g")).toBeUndefined();
});
