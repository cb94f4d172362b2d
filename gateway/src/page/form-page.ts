import { html } from "hono/html";
import { type Html, renderPage } from "#shared/page/render-page.ts";
import type { Language } from "#shared/text/language.ts";

/** A link to the page that follows, shown once the form has done its work. */
type NextPage = { text: string; url: string };
/** A form with a button and the texts after it; `url` receives the form and is relative to the page. */
export type FormContent = {
  title: string;
  button: string;
  done: string;
  failed: string;
  url: string;
  field?: Html;
  next?: NextPage;
};
type NoticeContent = { title: string; text: string };

/**
 * The page behind a mailed link. It does nothing until the button is pressed, because mail scanners open links. Its script
 * sends the parameters of the address with the form.
 */
export function renderFormPage(language: Language, content: FormContent | NoticeContent): Response {
  const { title } = content;
  if ("url" in content) return renderPage({ language, title, style: STYLE, body: renderForm(content), script: SCRIPT });
  return renderPage({ language, title, style: STYLE, body: html`<p>${content.text}</p>` });
}

function renderForm({ button, done, failed, url, field, next }: FormContent) {
  const link = next && html`<p id="next" hidden><a href="${next.url}">${next.text}</a></p>`;
  return html`<form data-url="${url}" data-done="${done}" data-failed="${failed}">${field}<button>${button}</button></form>
<p role="status"></p>${link}`;
}

const STYLE = `body { max-width: 30rem; }
input, button { font: inherit; padding: .5rem 1rem; margin: .5rem 0; }
label, input { display: block; }`;

const SCRIPT = `
const form = document.querySelector("form");
form.addEventListener("submit", async (event) => {
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
  const next = document.querySelector("#next");
  if (next) next.hidden = success !== true;
});
`;
