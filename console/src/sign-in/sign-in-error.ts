import { codeOf } from "../session/api.ts";
import type { Texts } from "../text/texts.ts";

/** The sentence for a refused step of a sign-in; the general messages for other failures. */
export function signInError(thrown: unknown, { session, refusal }: Texts): string {
  const { errors } = session;
  const code = codeOf(thrown);
  if (code === undefined) return refusal.unreachable.title;
  const sentences: Record<number, string> = {
    3: errors.pending,
    4: errors.pending,
    15: refusal.rate.title,
    102: errors.credentials,
    103: session.activation.text,
    104: errors.sessions,
    105: errors.locked,
    209: errors.mail,
    264: errors.wait,
    275: errors.blocked,
    282: errors.code,
  };
  return sentences[code] ?? refusal.other(code);
}
