import { expect, test } from "vitest";
import { crc8, crc16Arc, crc16Ccitt } from "./crc.ts";

test("crc16Arc, crc16Ccitt and crc8 give the published check values", () => {
  const check = Buffer.from("123456789");
  expect(crc16Arc(check)).toBe(0xbb3d);
  expect(crc16Ccitt(check)).toBe(0x29b1);
  expect(crc8(check)).toBe(0xf7);
  expect([crc16Arc, crc16Ccitt, crc8].map((crc) => crc(Buffer.alloc(0)))).toEqual([0, 0xffff, 0xff]);
});
