import { expect, test } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

test("canonicalJson orders members by their names' UTF-16 units, at every depth", () => {
  const value = { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\u{1f600}": 5, "\u0080": 6, "\u00f6": { b: 1, a: 2 } };
  expect(canonicalJson(value)).toBe(
    '{"\\r":2,"1":4,"\u0080":6,"\u00f6":{"a":2,"b":1},"\u20ac":1,"\u{1f600}":5,"\ufb33":3}',
  );
});

test("canonicalJson writes each number and text in one way alone", () => {
  const numbers = [Number("333333333.33333329"), 1e30, 4.5, 2e-3, 1e-27, -0, 1e21, 100];
  expect(canonicalJson(numbers)).toBe("[333333333.3333333,1e+30,4.5,0.002,1e-27,0,1e+21,100]");
  expect(canonicalJson('\u20ac$\u000f\nA\'B"\\"/')).toBe('"\u20ac$\\u000f\\nA\'B\\"\\\\\\"/"');
  expect(canonicalJson({ b: [true, null, false], a: undefined })).toBe('{"b":[true,null,false]}');
});

test.each([[Number.NaN], [Number.POSITIVE_INFINITY], ["\ud800"], [undefined], [{ "\udc00": 1 }]])(
  "canonicalJson refuses %j, which readers would not agree on",
  (value) => {
    expect(() => canonicalJson(value)).toThrow("JSON has");
  },
);
