import { expect, test } from "vitest";
import { EVERY_OPERATION } from "#test/tool/call/every-operation.ts";
import { redirectAnswer } from "./redirect.ts";

const refusal = { status: 429, code: 15 as const, body: '{"success":false,"status":{"code":15}}' };
const upload = {
  path: "/zone/upload",
  method: "POST",
  typed: {},
  textual: { redirect_target: "https://example.com/done?a=1#end" },
};

test("operations that take a redirect_target answer by a redirect, and no other operations do", () => {
  const answersByRedirect = ({ path }: { path: string }) => redirectAnswer(refusal, { ...upload, path }) !== refusal;
  for (const operation of EVERY_OPERATION.values()) {
    const isTaking = "redirect_target" in operation.input.shape;
    expect([answersByRedirect(operation), operation.reply?.includes("redirect") ?? false], operation.path).toEqual([
      isTaking,
      isTaking,
    ]);
  }
});

test("redirectAnswer adds a refusal to the target's own query", () => {
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
  ["a path that no operation has", { ...upload, path: "/nothing/upload" }],
  ["another method", { ...upload, method: "GET" }],
])("redirectAnswer leaves the answer as it is with %s", (_, request) => {
  expect(redirectAnswer(refusal, request)).toBe(refusal);
});
