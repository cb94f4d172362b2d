import type { EventNotice, Notice, ReportNotice, ServiceNotice } from "#shared/contract/service-notice.ts";
import { languageOf } from "#shared/text/language.ts";
import { writeLocal } from "#shared/time/clock.ts";
import { escapeHtml } from "../page/escape.ts";
import type { UserRow } from "../table/user.ts";
import { WORDS, type Words } from "./words.ts";

/** A mail without its address. */
export type Letter = { subject: string; text: string; html: string; secret?: string };
type Recipient = { first_name: string; locale: string };

/** Asks a new user to open the link. */
export function activationLetter(recipient: Recipient, link: string): Letter {
  const { activation } = wordsOf(recipient.locale);
  return compose(recipient, { ...activation, link });
}

/** Lets a user who forgot the password choose another one. */
export function restoreLetter(recipient: Recipient, link: string): Letter {
  const { restore } = wordsOf(recipient.locale);
  return compose(recipient, { ...restore, link });
}

/** The code that completes a log-in. */
export function codeLetter(recipient: Recipient, code: string): Letter {
  const { code: words } = wordsOf(recipient.locale);
  return compose(recipient, { ...words, code });
}

/** Asks whom an account wants to tell of its service tasks, once: without a word of the account's own. */
export function agreementLetter(recipient: Recipient, link: string): Letter {
  const { agreement } = wordsOf(recipient.locale);
  return { ...compose({ ...recipient, first_name: "" }, { ...agreement, link }), secret: undefined };
}

/** What services want somebody to be told, in the words and the zone of the account's master. */
export function noticeLetter(notice: Notice, master: Pick<UserRow, "locale" | "time_zone">, publicUrl: string): Letter {
  if (!("kind" in notice)) return serviceLetter(notice, master);
  return notice.kind === "event" ? eventLetter(notice, master) : reportLetter(notice, master, publicUrl);
}

/** Whoever gets it can open the report, until the address ends. */
function reportLetter(
  { title, range, path }: ReportNotice,
  { locale }: Pick<UserRow, "locale">,
  publicUrl: string,
): Letter {
  const { report } = wordsOf(locale);
  const { subject, before, button, after } = report(plain(title), plain(range));
  const link = `${publicUrl}/api-v2${path}`;
  return { ...compose({ first_name: "", locale }, { subject, before, button, after, link }), secret: undefined };
}

/** Tells of an event in the words of the rule that watched for it. */
function eventLetter(
  { tracker_label, message, time }: EventNotice,
  { locale, time_zone }: Pick<UserRow, "locale" | "time_zone">,
): Letter {
  const { event } = wordsOf(locale);
  const [tracker, what] = [plain(tracker_label), plain(message)];
  const lines = [
    `${event.tracker}: ${tracker}`,
    `${event.message}: ${what}`,
    `${event.time}: ${writeLocal(time, time_zone)}`,
  ];
  return compose(
    { first_name: "", locale },
    {
      subject: event.subject(tracker, what.slice(0, LONGEST_SUBJECT)),
      before: event.before,
      after: event.after,
      lines,
    },
  );
}

/** Tells whom a service task concerns that it is due soon, or overdue. */
export function serviceLetter(
  notice: ServiceNotice,
  { locale, time_zone }: Pick<UserRow, "locale" | "time_zone">,
): Letter {
  const { service } = wordsOf(locale);
  const { subject, before, after } = service[notice.status];
  const number = new Intl.NumberFormat(languageOf(locale), { maximumFractionDigits: 1 });
  const { mileage, engine_hours, date } = notice.end;
  const lines = [
    `${service.vehicle}: ${plain(notice.vehicle_label)}`,
    `${service.work}: ${plain(notice.description)}`,
    notice.comment && `${service.comment}: ${plain(notice.comment)}`,
    mileage !== null && `${service.mileage}: ${number.format(mileage)} km`,
    engine_hours !== null && `${service.engine_hours}: ${number.format(engine_hours)} h`,
    date !== null && `${service.date}: ${writeLocal(date, time_zone)}`,
  ].filter((line) => typeof line === "string" && line !== "");
  return compose(
    { first_name: "", locale },
    { subject: subject(plain(notice.vehicle_label)), before, after, lines: lines.map(String) },
  );
}

/** In the language of the locale where we write it, else in English. */
export function wordsOf(locale: string): Words {
  return WORDS[languageOf(locale)];
}

/** What users write stands in our letters: in one line, and it leads nowhere. */
function plain(text: string) {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").replace(new RegExp(LINK, "giu"), "…");
}

const LONGEST_SUBJECT = 100;
/** An address that mail programs would make a link of. */
const LINK = /\b(?:https?:\/\/|www\.)\S+|\b[\p{L}\d-]+\.(?:[a-z]{2,24})\/\S*/iu;

type Parts = {
  subject: string;
  before: string;
  after: string;
  link?: string;
  button?: string;
  code?: string;
  lines?: string[];
};

/** One template, twice: as text and as HTML. */
function compose(
  { first_name, locale }: Recipient,
  { subject, before, after, link, button, code, lines }: Parts,
): Letter {
  const greeting = wordsOf(locale).greeting(LINK.test(first_name) ? "" : plain(first_name));
  const text = [greeting, before, lines?.join("\n") ?? link ?? code ?? "", after].join("\n\n");
  const [hello, why, hint] = [greeting, before, after].map((part) => `<p>${escapeHtml(part)}</p>`);
  const action = lines
    ? `<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("")}</ul>`
    : link
      ? `<p><a href="${escapeHtml(link)}">${escapeHtml(button ?? link)}</a></p>\n<p>${escapeHtml(link)}</p>`
      : `<p style="font-size:2em;letter-spacing:.2em">${escapeHtml(code ?? "")}</p>`;
  const html = [
    `<!doctype html>\n<html lang="${languageOf(locale)}">\n<head><meta charset="utf-8">`,
    `<title>${escapeHtml(subject)}</title></head>`,
    `<body style="font:16px/1.5 sans-serif">\n${hello}\n${why}\n${action}\n${hint}\n</body>\n</html>`,
  ].join("\n");
  return { subject, text, html, secret: code ?? (link && new URL(link).searchParams.get("hash")) ?? undefined };
}
