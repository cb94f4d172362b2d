import * as z from "zod";
import type { Answer, ReadRequest } from "./declaration.ts";

/** Parameter of uploads: the address to which the browser is redirected with the answer. */
export function redirectTarget() {
  return z.url({ protocol: /^https?$/ }).optional();
}

/**
 * Turns the answer of an upload into a redirect to a valid `redirect_target`; all other answers stay as they are. Only for
 * callers with a valid hash: others must not use the system to send browsers anywhere.
 */
export function redirectAnswer(answer: Answer, { path, method, typed, textual }: Redirectable): Answer {
  if (!UPLOADS.has(path) || method !== "POST" || answer instanceof Response) return answer;
  const wanted = redirectTarget().safeParse(typed.redirect_target ?? textual.redirect_target);
  if (!wanted.data) return answer;
  const target = new URL(wanted.data);
  target.searchParams.set("response", answer.body);
  return new Response(null, { status: 302, headers: { Location: target.href } });
}

type Redirectable = Pick<ReadRequest, "path" | "method" | "typed" | "textual">;

/** The operations that take a `redirect_target`, because HTML forms cannot read an answer. */
const UPLOADS = new Set([
  "/zone/upload",
  "/place/upload",
  "/place/avatar/upload",
  "/vehicle/avatar/upload",
  "/employee/avatar/upload",
  "/tracker/avatar/upload",
  "/tag/avatar/upload",
]);
