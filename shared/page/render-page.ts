import { randomBytes } from "node:crypto";
import { html, raw } from "hono/html";
import type { Language } from "../text/language.ts";

export type Html = ReturnType<typeof html>;
type Page = { language: Language; title: string; style: string; body: Html; script?: string };

/** A page for people, without anything from other hosts. `style` and `script` are texts of ours: they are not escaped. */
export function renderPage({ language, title, style, body, script }: Page): Response {
  const nonce = randomBytes(16).toString("base64");
  const document = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style nonce="${nonce}">
body { font: 16px/1.5 system-ui, sans-serif; margin: 4rem auto; padding: 0 1rem; color: #1b1f24; }
${raw(style)}
</style>
</head>
<body>
<h1>${title}</h1>
${body}
${script === undefined ? "" : html`<script nonce="${nonce}">${raw(script)}</script>`}
</body>
</html>`;
  const scripts = script === undefined ? "" : `script-src 'nonce-${nonce}'; connect-src 'self'; `;
  return new Response(String(document), {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": `default-src 'none'; ${scripts}style-src 'nonce-${nonce}'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
      // The address contains a secret, which other sites must not get.
      "Referrer-Policy": "no-referrer",
    },
  });
}
