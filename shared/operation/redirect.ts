import { z } from "zod";
import type { Answer, ReadRequest } from "./declaration.ts";

/** Parameter of uploads: the address to which the browser is redirected with the answer. */
export function redirectTarget() {
  return z.url({ protocol: /^https?$/ }).optional();
}

/** Uploads take a `redirect_target`: HTML forms cannot read an answer. */
export function takesRedirect(path: string): boolean {
  return path.endsWith("/upload");
}

/** Turns the answer of an upload into a redirect to a valid `redirect_target`; all other answers stay as they are. */
export function redirectAnswer(answer: Answer, { path, typed, textual }: Redirectable): Answer {
  if (!takesRedirect(path) || answer instanceof Response) return answer;
  const wanted = redirectTarget().safeParse(typed.redirect_target ?? textual.redirect_target);
  if (!wanted.data) return answer;
  const target = new URL(wanted.data);
  target.searchParams.set("response", answer.body);
  return new Response(null, { status: 302, headers: { Location: target.href } });
}

type Redirectable = Pick<ReadRequest, "path" | "typed" | "textual">;
