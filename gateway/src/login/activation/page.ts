import { html } from "hono/html";
import type { Principal } from "#shared/caller/principal.ts";
import { languageOf } from "#shared/text/language.ts";
import { textsOf } from "../../mail/letter.ts";
import { renderFormPage } from "../../page/form-page.ts";

/** The page in the user's language: a form to activate or to set a password, or the notice that the link has ended. */
export function renderLinkPage(
  { credential, locale }: Pick<Principal, "credential" | "locale">,
  policy: keyof typeof MIN_PASSWORD_CHARS,
): Response {
  const { page } = textsOf(locale);
  const language = languageOf(locale);
  const following = { failed: page.failed, next: { text: page.console, url: "/" } };
  if (credential === "activation")
    return renderFormPage(language, { ...page.activation, ...following, url: "user/activate" });
  if (credential !== "restore") return renderFormPage(language, page.ended);
  const field = renderPasswordField(page.restore.labels[policy], MIN_PASSWORD_CHARS[policy]);
  return renderFormPage(language, { ...page.restore, ...following, url: "user/password/change", field });
}

const MIN_PASSWORD_CHARS = { standard: 6, strict: 12 };

function renderPasswordField(label: string, minChars: number) {
  return html`<label>${label} <input type="password" name="password" minlength="${minChars}" maxlength="20" autocomplete="new-password" required></label> `;
}
