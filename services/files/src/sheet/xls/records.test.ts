import { expect, test } from "vitest";
import { RecordReader, readRecords } from "./records.ts";

function part(...bytes: (number | string)[]): DataView {
  const all = bytes.flatMap((byte) => (typeof byte === "string" ? [...Buffer.from(byte, "latin1")] : [byte]));
  return new DataView(Uint8Array.from(all).buffer);
}

const wide = (text: string) => [...Buffer.from(text, "utf16le")];

test("RecordReader.readText continues in the next record, where characters may have another width", () => {
  const reader = new RecordReader([part(5, 0, 0, "ab"), part(1, ...wide("вг")), part(0, "e", 2, 0, 0, "xy")]);
  expect(reader.readText(reader.readNumber16())).toBe("abвгe");
  expect(reader.isAtEnd).toBe(false);
  expect(reader.readText(reader.readNumber16())).toBe("xy");
  expect(reader.isAtEnd).toBe(true);
});

test("RecordReader.readText skips the formats and readings behind a text, also into the next record", () => {
  const rich = part(8 + 4, 1, 0, 3, 0, 0, 0, "ab", 9, 9);
  const reader = new RecordReader([rich, part(9, 9, 9, 9, 9, 0, "c")]);
  expect(reader.readText(2)).toBe("ab");
  expect(reader.readText(1)).toBe("c");
});

test("RecordReader.readText refuses a text that has fewer characters than it declares (234)", () => {
  for (const parts of [[part(0, "ab")], [part(1, 0x32)], [part(0, "ab"), part()], [part(0, "a"), part(1, 0x32)]]) {
    expect(() => new RecordReader(parts).readText(3)).toThrow(expect.objectContaining({ code: 234 }));
  }
});

test("readRecords joins records with their continuations, and refuses one that runs past the end (234)", () => {
  const stream = Uint8Array.from([1, 0, 1, 0, 7, 0x3c, 0, 1, 0, 8, 2, 0, 0, 0]);
  const lengths = [...readRecords(stream, 0)].map(({ type, parts }) => [type, parts.length]);
  expect(lengths).toEqual([
    [1, 2],
    [2, 1],
  ]);
  expect(() => [...readRecords(stream.subarray(0, 9), 0)]).toThrow(expect.objectContaining({ code: 234 }));
});
