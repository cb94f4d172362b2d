import { randomBytes } from "node:crypto";
import type { Principal } from "#shared/caller/principal.ts";
import { languageOf } from "#shared/text/language.ts";
import { escapeHtml, wordsOf } from "../../mail/letter.ts";

/** In the user's language, with nothing from elsewhere. The hash stays in the address, where its script finds it. */
export function pageFor(
  { credential, locale }: Pick<Principal, "credential" | "locale">,
  policy: keyof typeof LENGTHS,
): Response {
  const { page } = wordsOf(locale);
  const nonce = randomBytes(16).toString("base64");
  const fields = { activation: "", restore: passwordField(page.restore.labels[policy], LENGTHS[policy]) };
  // Seen from the page, whatever stands before the API's paths.
  const paths = { activation: "user/activate", restore: "user/password/change" };
  const html =
    credential === "activation" || credential === "restore"
      ? form(page[credential], fields[credential], paths[credential], page.failed)
      : `<h1>${escapeHtml(page.ended.title)}</h1>\n<p>${escapeHtml(page.ended.text)}</p>`;
  return new Response(document(languageOf(locale), html, nonce), {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
      // The address holds the hash.
      "Referrer-Policy": "no-referrer",
    },
  });
}

/** The fewest characters of a password. */
const LENGTHS = { standard: 6, strict: 12 };

type FormWords = { title: string; button: string; done: string };

function form({ title, button, done }: FormWords, field: string, url: string, failed: string) {
  const attributes = { url, done, failed };
  const data = Object.entries(attributes).map(([name, value]) => `data-${name}="${escapeHtml(value)}"`);
  return `<h1>${escapeHtml(title)}</h1>
<form ${data.join(" ")}>${field}<button>${escapeHtml(button)}</button></form>
<p role="status"></p>`;
}

function passwordField(label: string, shortest: number) {
  const attributes = `type="password" name="password" minlength="${shortest}" maxlength="20" autocomplete="new-password" required`;
  return `<label>${escapeHtml(label)} <input ${attributes}></label> `;
}

function document(language: string, body: string, nonce: string) {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${/<h1>(.*)<\/h1>/.exec(body)?.[1] ?? ""}</title>
<style nonce="${nonce}">
body { font: 16px/1.5 system-ui, sans-serif; max-width: 30rem; margin: 4rem auto; padding: 0 1rem; color: #1b1f24; }
input, button { font: inherit; padding: .5rem 1rem; margin: .5rem 0; }
label, input { display: block; }
</style>
</head>
<body>
${body}
<script nonce="${nonce}">
const form = document.querySelector("form");
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const status = document.querySelector("[role=status]");
  const hash = new URLSearchParams(location.search).get("hash");
  const request = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ hash, ...Object.fromEntries(new FormData(form)) }),
  };
  const { success } = await fetch(form.dataset.url, request).then((answer) => answer.json()).catch(() => ({}));
  status.textContent = success ? form.dataset.done : form.dataset.failed;
  form.hidden = success === true;
});
</script>
</body>
</html>`;
}
