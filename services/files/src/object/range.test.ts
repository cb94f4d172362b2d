import { expect, test } from "vitest";
import { parseRanges } from "./range.ts";

const part = (offset: number, length: number) => ({ offset, length });

test.each([
  ["bytes=0-0", [part(0, 1)]],
  ["bytes=2-4", [part(2, 3)]],
  ["BYTES=2-4", [part(2, 3)]],
  ["bytes=9-", [part(9, 1)]],
  ["bytes=8-99999999999999999999", [part(8, 2)]],
  ["bytes=-3", [part(7, 3)]],
  ["bytes=-99", [part(0, 10)]],
  ["bytes=0-1, 4-5 ,-1", [part(0, 2), part(4, 2), part(9, 1)]],
  ["bytes=0-1,,4-5", [part(0, 2), part(4, 2)]],
  ["bytes=8-9,0-1,50-60", [part(0, 2), part(8, 2)]],
])("parseRanges gives the parts of ten bytes that %s asks for, in order", (header, parts) => {
  expect(parseRanges(header, 10)).toEqual(parts);
});

test.each([
  ["bytes=0-5,3-7", [part(0, 8)]],
  ["bytes=0-3,4-7", [part(0, 8)]],
  ["bytes=0-,0-,0-,0-,0-", [part(0, 10)]],
  ["bytes=0-9,2-3", [part(0, 10)]],
])("parseRanges joins the overlapping ranges of %s: no byte is sent twice", (header, parts) => {
  expect(parseRanges(header, 10)).toEqual(parts);
});

test.each(["bytes=10-", "bytes=10-20", "bytes=-0", "bytes=0-0,1-1,2-2,3-3,4-4,5-5"])(
  "parseRanges gives no part for %s, which cannot be satisfied",
  (header) => {
    expect(parseRanges(header, 10)).toEqual([]);
  },
);

test.each([
  "bytes=",
  "bytes=-",
  "bytes=5-2",
  "bytes=a-b",
  "bytes=1",
  "bytes=1-2-3",
  "lines=1-2",
  "bytes",
  "bytes=0-1,x",
])("parseRanges ignores %s, which is no valid range header", (header) => {
  expect(parseRanges(header, 10)).toBe(undefined);
});

test("parseRanges gives no part of an empty file", () => expect(parseRanges("bytes=0-", 0)).toEqual([]));
