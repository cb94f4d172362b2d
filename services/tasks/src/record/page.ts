import { randomBytes } from "node:crypto";
import type { Verdict } from "./schema.ts";

/** The verdict as a page for people, without scripts and without content from other servers. */
export function renderVerdictPage(verdict: Verdict): Response {
  const nonce = randomBytes(16).toString("base64");
  return new Response(renderDocument(verdict, nonce), {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
      // The address contains the token, which alone protects the record.
      "Referrer-Policy": "no-referrer",
    },
  });
}

function renderDocument(verdict: Verdict, nonce: string) {
  const { valid, kind, told, files } = verdict;
  const title = valid ? "This record is genuine" : "This record does not prove anything";
  const thing = kind === "checkin" ? "check-in" : "form";
  const checks = [
    [verdict.unchanged, `The ${thing} and its files are what was recorded`],
    [verdict.is_signed, "The record is signed by this installation"],
    [verdict.is_chained, "The record follows the one before it"],
  ] as const;
  const rows = [
    ["Recorded", formatInstant(verdict.made)],
    ["Time that the device told", told && formatInstant(told.time)],
    ["Received", told?.received != null && formatInstant(told.received)],
    [
      "Place that the device told",
      told?.location && `${told.location.lat}, ${told.location.lng} ${told.location.address}`,
    ],
    ["Number in the account", String(verdict.place)],
    ["Hash", verdict.hash],
    ["Hash before", verdict.previous],
    ...files.map((digest, index) => [`File ${index + 1}, SHA-256`, digest] as const),
  ] as const;
  const items = rows.flatMap(([name, value]) =>
    value ? `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>` : [],
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style nonce="${nonce}">
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; color: #1b1f24; }
dt { font-weight: 600; } dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1>${title}</h1>
<ul>${checks.map(([holds, text]) => `<li>${holds ? "Yes" : "No"}: ${escapeHtml(text)}</li>`).join("")}</ul>
<dl>${items.join("")}</dl>
<p>It proves that nothing of the ${thing} was changed since it was recorded. It does not prove that the device was there:
place and time are what the device told.</p>
</body>
</html>`;
}

function formatInstant(ms: number) {
  return `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

function escapeHtml(text: string) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
