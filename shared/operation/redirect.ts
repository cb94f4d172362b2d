import { z } from "zod";
import type { Answer, ReadRequest } from "./declaration.ts";

/** Of an upload: where the caller's browser is to go with the answer. */
export function redirectTarget() {
  return z.url({ protocol: /^https?$/ }).optional();
}

/** The operations that take a `redirect_target`: files come from forms of pages, which cannot read an answer. */
export function takesRedirect(path: string): boolean {
  return path.endsWith("/upload");
}

/**
 * The answer, good or bad, on its way to where the caller wants it. Without a valid target it stays as it is, and so does
 * an answer to any other operation; whoever answers for one passes its answers through here.
 */
export function redirectAnswer(answer: Answer, { path, typed, textual }: Redirectable): Answer {
  if (!takesRedirect(path) || answer instanceof Response) return answer;
  const wanted = redirectTarget().safeParse(typed.redirect_target ?? textual.redirect_target);
  if (!wanted.data) return answer;
  const target = new URL(wanted.data);
  target.searchParams.set("response", answer.body);
  return new Response(null, { status: 302, headers: { Location: target.href } });
}

type Redirectable = Pick<ReadRequest, "path" | "typed" | "textual">;
