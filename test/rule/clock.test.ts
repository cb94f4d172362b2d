import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/workers.ts";

/** Files of tests and their helpers. The programs of test/campaign, which measure for minutes, are no tests. */
const FILES = globSync("{gateway,services,shared,scripts,bench,test}/**/*.ts", { cwd: ROOT }).filter(
  (file) => file.endsWith(".test.ts") || (file.startsWith("test/") && !file.startsWith("test/campaign/")),
);

/** Vitest's waits, which end after a second unless a test says otherwise. */
const WAITS = { vi: ["waitFor", "waitUntil"], expect: ["poll"] };

test("no test measures how long something takes", () => {
  expect(FILES.flatMap((file) => places(file, findMeasuring))).toEqual([]);
});

test("no expectation reads the clock", () => {
  expect(FILES.flatMap((file) => places(file, findClockInExpectation))).toEqual([]);
});

test("no wait ends after the second that Vitest gives it unasked", () => {
  const impatient = FILES.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    return /\b(?:vi\.wait|expect\.poll)/.test(text)
      ? linesOf(text, findImpatience).map((line) => `${file}:${line}`)
      : [];
  });
  expect(impatient).toEqual([]);
  const source = "vi.waitFor(read);\nvi.waitFor(read, PATIENT);\nawait expect.poll(read).toBe(1);";
  expect(linesOf(source, findImpatience)).toEqual([1, 3]);
});

test("the search for clocks finds those in expectations and their matchers, and no others", () => {
  const source = `
    const before = systemNow();
    expect(read()).toBeLessThan(before);
    expect(systemNow()).toBe(before);
    expect(read()).not.toBeGreaterThan(
      Date.now() - 5,
    );
    await expect(read()).resolves.toEqual({ time: nowMs(env) });
    await expect.poll(() => read(systemNow)).toBe(1);
  `;
  expect(linesOf(source, findClockInExpectation)).toEqual([4, 6, 8, 9]);
  expect(linesOf("read();\nconst start = performance.now();", findMeasuring)).toEqual([2]);
});

function places(file: string, find: Find): string[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  if (!/\b(?:systemNow|nowMs|Date\.now|performance\.now)\b/.test(text)) return [];
  return linesOf(text, find).map((line) => `${file}:${line}`);
}

/** Calls `report` with each node of a tree that breaks a rule. */
type Find = (node: ts.Node, report: (place: ts.Node) => void) => void;

function linesOf(text: string, find: Find): number[] {
  const source = ts.createSourceFile("test.ts", text, ts.ScriptTarget.Latest);
  const lines = new Set<number>();
  find(source, (node) => lines.add(source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1));
  return [...lines].sort((one, other) => one - other);
}

function findMeasuring(node: ts.Node, report: (place: ts.Node) => void) {
  if (isNowOf(node, "performance")) report(node);
  ts.forEachChild(node, (child) => findMeasuring(child, report));
}

function findClockInExpectation(node: ts.Node, report: (place: ts.Node) => void) {
  if (ts.isCallExpression(node) && isExpectation(node.expression)) {
    for (const argument of node.arguments) findClock(argument, report);
  }
  ts.forEachChild(node, (child) => findClockInExpectation(child, report));
}

function findClock(node: ts.Node, report: (place: ts.Node) => void) {
  const isNamed = ts.isIdentifier(node) && (node.text === "systemNow" || node.text === "nowMs");
  if (isNamed || isNowOf(node, "Date")) report(node);
  ts.forEachChild(node, (child) => findClock(child, report));
}

/** Reports Vitest's waits that lack options, among them how long they last. */
function findImpatience(node: ts.Node, report: (place: ts.Node) => void) {
  if (ts.isCallExpression(node) && node.arguments.length < 2 && isWait(node.expression)) report(node);
  ts.forEachChild(node, (child) => findImpatience(child, report));
}

function isWait(callee: ts.Expression): boolean {
  if (!ts.isPropertyAccessExpression(callee) || !ts.isIdentifier(callee.expression)) return false;
  const { text } = callee.expression;
  return (text === "vi" || text === "expect") && WAITS[text].includes(callee.name.text);
}

/** True for `expect` and for all that is called on it: `expect(…).not.toBe`, `expect.poll`. */
function isExpectation(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return callee.text === "expect";
  return (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) && isExpectation(callee.expression);
}

function isNowOf(node: ts.Node, owner: string): boolean {
  if (!ts.isPropertyAccessExpression(node) || node.name.text !== "now") return false;
  return ts.isIdentifier(node.expression) && node.expression.text === owner;
}
