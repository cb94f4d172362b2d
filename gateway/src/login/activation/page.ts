import type { Principal } from "#shared/caller/principal.ts";
import { languageOf } from "#shared/text/language.ts";
import { wordsOf } from "../../mail/letter.ts";
import { escapeHtml } from "../../page/escape.ts";
import { formPage } from "../../page/form-page.ts";

/** In the user's language: what the link is good for, or that it is no more. */
export function pageFor(
  { credential, locale }: Pick<Principal, "credential" | "locale">,
  policy: keyof typeof LENGTHS,
): Response {
  const { page } = wordsOf(locale);
  const language = languageOf(locale);
  if (credential === "activation")
    return formPage(language, { ...page.activation, failed: page.failed, url: "user/activate" });
  if (credential !== "restore") return formPage(language, page.ended);
  const field = passwordField(page.restore.labels[policy], LENGTHS[policy]);
  return formPage(language, { ...page.restore, failed: page.failed, url: "user/password/change", field });
}

/** The fewest characters of a password. */
const LENGTHS = { standard: 6, strict: 12 };

function passwordField(label: string, shortest: number) {
  const attributes = `type="password" name="password" minlength="${shortest}" maxlength="20" autocomplete="new-password" required`;
  return `<label>${escapeHtml(label)} <input ${attributes}></label> `;
}
