import { expect, test } from "vitest";
import { DECLARED } from "#test/tool/call/declared.ts";
import { redirectAnswer } from "./redirect.ts";

const refusal = { status: 429, code: 15 as const, body: '{"success":false,"status":{"code":15}}' };
const upload = { path: "/zone/upload", typed: {}, textual: { redirect_target: "https://example.com/done?a=1#end" } };

test("redirect_target is a parameter of the uploads alone, and all of them answer by a redirect", () => {
  const taking = [...DECLARED.values()].filter(({ input }) => "redirect_target" in input.shape);
  const uploads = [...DECLARED.values()].filter(({ path }) => path.endsWith("/upload"));
  expect(taking.map(({ path }) => path)).toEqual(uploads.map(({ path }) => path));
  expect(taking.length).toBeGreaterThan(0);
  for (const { path, reply } of taking) expect(reply, path).toContain("redirect");
});

test("redirected adds a refusal to the target's own query", () => {
  const answer = redirectAnswer(refusal, upload);
  if (!(answer instanceof Response)) throw new Error("a redirect was expected");
  const target = new URL(answer.headers.get("Location") ?? "");
  expect([answer.status, target.origin + target.pathname, target.hash]).toEqual([
    302,
    "https://example.com/done",
    "#end",
  ]);
  expect(Object.fromEntries(target.searchParams)).toEqual({ a: "1", response: refusal.body });
});

test.each([
  ["no target", { ...upload, textual: {} }],
  ["a target that is none", { ...upload, textual: { redirect_target: "done" } }],
  ["a target of another protocol", { ...upload, textual: { redirect_target: "javascript:alert(1)" } }],
  ["another operation", { ...upload, path: "/zone/list" }],
])("redirected leaves the answer as it is with %s", (_, request) => {
  expect(redirectAnswer(refusal, request)).toBe(refusal);
});
