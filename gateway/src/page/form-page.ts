import { randomBytes } from "node:crypto";
import { html } from "hono/html";
import type { Language } from "#shared/text/language.ts";

/** A form with a button and the texts after it; `url` receives the form and is relative to the page. */
export type FormContent = { title: string; button: string; done: string; failed: string; url: string; field?: Html };
type Html = ReturnType<typeof html>;
type NoticeContent = { title: string; text: string };

/**
 * The page behind a mailed link, without anything from other hosts. It does nothing until the button is pressed, because
 * mail scanners open links. Its script sends the parameters of the address with the form.
 */
export function renderFormPage(language: Language, content: FormContent | NoticeContent): Response {
  const nonce = randomBytes(16).toString("base64");
  const body = "url" in content ? renderForm(content) : html`<p>${content.text}</p>`;
  return new Response(String(renderDocument(language, content.title, body, nonce)), {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
      // The address contains the hash, which other sites must not get.
      "Referrer-Policy": "no-referrer",
    },
  });
}

function renderForm({ button, done, failed, url, field }: FormContent) {
  return html`<form data-url="${url}" data-done="${done}" data-failed="${failed}">${field}<button>${button}</button></form>
<p role="status"></p>`;
}

function renderDocument(language: string, title: string, body: Html, nonce: string) {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style nonce="${nonce}">
body { font: 16px/1.5 system-ui, sans-serif; max-width: 30rem; margin: 4rem auto; padding: 0 1rem; color: #1b1f24; }
input, button { font: inherit; padding: .5rem 1rem; margin: .5rem 0; }
label, input { display: block; }
</style>
</head>
<body>
<h1>${title}</h1>
${body}
<script nonce="${nonce}">
const form = document.querySelector("form");
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const status = document.querySelector("[role=status]");
  const request = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      ...Object.fromEntries(new URLSearchParams(location.search)),
      ...Object.fromEntries(new FormData(form)),
    }),
  };
  const { success } = await fetch(form.dataset.url, request).then((answer) => answer.json()).catch(() => ({}));
  status.textContent = success ? form.dataset.done : form.dataset.failed;
  form.hidden = success === true;
});
</script>
</body>
</html>`;
}
