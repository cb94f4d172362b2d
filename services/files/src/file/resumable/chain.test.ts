import { expect, test } from "vitest";
import { endOf, parsePiece, toChain } from "./chain.ts";

const piece = (start: number, end: number) => ({ key: `upload/1/pieces/${start}-${end}-x`, start, end });
const chainFrom = (...ends: [number, number][]) => toChain(ends.map(([start, end]) => piece(start, end)));

test("toChain joins pieces in any order up to the first gap", () => {
  expect(endOf(chainFrom())).toBe(0);
  expect(endOf(chainFrom([5, 9], [0, 5]))).toBe(9);
  expect(endOf(chainFrom([0, 5], [6, 9]))).toBe(5);
  expect(endOf(chainFrom([1, 5]))).toBe(0);
});

test("toChain prefers a joined piece to the pieces it was made of, and counts a piece that was sent twice once", () => {
  expect(chainFrom([0, 2], [2, 4], [0, 6], [4, 6], [6, 7])).toEqual([piece(0, 6), piece(6, 7)]);
  expect(chainFrom([0, 4], [2, 3], [2, 8], [2, 6])).toEqual([piece(0, 4), piece(2, 8)]);
});

test("parsePiece reads a piece's range from its key alone", () => {
  expect(parsePiece("upload/1/pieces/5-9-x")).toEqual(
    piece(5, 9) && { key: "upload/1/pieces/5-9-x", start: 5, end: 9 },
  );
  expect(parsePiece("upload/1/3f0c")).toBe(undefined);
});
