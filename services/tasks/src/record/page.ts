import { html } from "hono/html";
import { renderPage } from "#shared/page/render-page.ts";
import type { Verdict } from "./schema.ts";

/** The verdict as a page for people. */
export function renderVerdictPage(verdict: Verdict): Response {
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
  const body = html`<ul>${checks.map(([holds, text]) => html`<li>${holds ? "Yes" : "No"}: ${text}</li>`)}</ul>
<dl>${rows.map(([name, value]) => value && html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
<p>It proves that nothing of the ${thing} was changed since it was recorded. It does not prove that the device was there:
place and time are what the device told.</p>`;
  return renderPage({ language: "en", title, style: STYLE, body });
}

const STYLE = `body { max-width: 40rem; }
dt { font-weight: 600; } dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }`;

function formatInstant(ms: number) {
  return `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
