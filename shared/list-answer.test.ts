import { expect, test } from "vitest";
import { listAnswer, type Page } from "./list-answer.ts";

test("one page is an object, written by whoever writes the answers", () => {
  expect(listAnswer({ count: 2 }, { items: [1, 2] })).toEqual({ count: 2, list: [1, 2] });
});

test("many pages are one JSON text, fetched one after the other", async () => {
  const fetched: number[] = [];
  const page = (number: number): Page<number> => {
    fetched.push(number);
    return { items: [number, number], next: number < 4 ? async () => page(number + 1) : undefined };
  };
  const answer = listAnswer({ count: 8 }, page(1));
  expect(fetched).toEqual([1]);
  expect(answer).toBeInstanceOf(Response);
  expect(await (answer as Response).json()).toEqual({ success: true, count: 8, list: [1, 1, 2, 2, 3, 3, 4, 4] });
});
