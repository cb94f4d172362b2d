import type { EventNotice, Notice, ReportNotice, ServiceNotice } from "#shared/contract/service-notice.ts";
import { languageOf } from "#shared/text/language.ts";
import { writeLocal } from "#shared/time/clock.ts";
import { escapeHtml } from "../page/escape.ts";
import type { UserRow } from "../table/user.ts";
import { TEXTS, type Texts } from "./texts.ts";

/** A mail without its address. */
export type Letter = { subject: string; text: string; html: string; secret?: string };
type Recipient = { first_name: string; locale: string };

/** Asks a new user to open the link. */
export function toActivationLetter(recipient: Recipient, link: string): Letter {
  const { activation } = textsOf(recipient.locale);
  return composeLetter(recipient, { ...activation, link });
}

/** Lets a user who forgot the password choose another one. */
export function toRestoreLetter(recipient: Recipient, link: string): Letter {
  const { restore } = textsOf(recipient.locale);
  return composeLetter(recipient, { ...restore, link });
}

/** The code that completes a log-in. */
export function toCodeLetter(recipient: Recipient, code: string): Letter {
  const { code: words } = textsOf(recipient.locale);
  return composeLetter(recipient, { ...words, code });
}

/** Asks whom an account wants to tell of its service tasks, once: without a word of the account's own. */
export function toAgreementLetter(recipient: Recipient, link: string): Letter {
  const { agreement } = textsOf(recipient.locale);
  return { ...composeLetter({ ...recipient, first_name: "" }, { ...agreement, link }), secret: undefined };
}

/** What services want somebody to be told, in the words and the zone of the account's master. */
export function toNoticeLetter(
  notice: Notice,
  master: Pick<UserRow, "locale" | "time_zone">,
  publicUrl: string,
): Letter {
  if (!("kind" in notice)) return toServiceLetter(notice, master);
  return notice.kind === "event" ? toEventLetter(notice, master) : toReportLetter(notice, master, publicUrl);
}

/** Whoever gets it can open the report, until the address ends. */
function toReportLetter(
  { title, range, path }: ReportNotice,
  { locale }: Pick<UserRow, "locale">,
  publicUrl: string,
): Letter {
  const { report } = textsOf(locale);
  const { subject, before, button, after } = report(toPlainLine(title), toPlainLine(range));
  const link = `${publicUrl}/api-v2${path}`;
  return { ...composeLetter({ first_name: "", locale }, { subject, before, button, after, link }), secret: undefined };
}

/** Tells of an event in the words of the rule that watched for it. */
function toEventLetter(
  { tracker_label, message, time }: EventNotice,
  { locale, time_zone }: Pick<UserRow, "locale" | "time_zone">,
): Letter {
  const { event } = textsOf(locale);
  const [tracker, what] = [toPlainLine(tracker_label), toPlainLine(message)];
  const lines = [
    `${event.tracker}: ${tracker}`,
    `${event.message}: ${what}`,
    `${event.time}: ${writeLocal(time, time_zone)}`,
  ];
  return composeLetter(
    { first_name: "", locale },
    {
      subject: event.subject(tracker, what.slice(0, MAX_SUBJECT_CHARS)),
      before: event.before,
      after: event.after,
      lines,
    },
  );
}

/** Tells whom a service task concerns that it is due soon, or overdue. */
export function toServiceLetter(
  notice: ServiceNotice,
  { locale, time_zone }: Pick<UserRow, "locale" | "time_zone">,
): Letter {
  const { service } = textsOf(locale);
  const { subject, before, after } = service[notice.status];
  const number = new Intl.NumberFormat(languageOf(locale), { maximumFractionDigits: 1 });
  const { mileage, engine_hours, date } = notice.end;
  const lines = [
    `${service.vehicle}: ${toPlainLine(notice.vehicle_label)}`,
    `${service.work}: ${toPlainLine(notice.description)}`,
    notice.comment && `${service.comment}: ${toPlainLine(notice.comment)}`,
    mileage !== null && `${service.mileage}: ${number.format(mileage)} km`,
    engine_hours !== null && `${service.engine_hours}: ${number.format(engine_hours)} h`,
    date !== null && `${service.date}: ${writeLocal(date, time_zone)}`,
  ].filter((line) => typeof line === "string" && line !== "");
  return composeLetter(
    { first_name: "", locale },
    { subject: subject(toPlainLine(notice.vehicle_label)), before, after, lines: lines.map(String) },
  );
}

/** In the language of the locale where we write it, else in English. */
export function textsOf(locale: string): Texts {
  return TEXTS[languageOf(locale)];
}

/** What users write stands in our letters: in one line, and it leads nowhere. */
function toPlainLine(text: string) {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").replace(new RegExp(LINK, "giu"), "…");
}

const MAX_SUBJECT_CHARS = 100;
/** An address that mail programs would make a link of. */
const LINK = /\b(?:https?:\/\/|www\.)\S+|\b[\p{L}\d-]+\.(?:[a-z]{2,24})\/\S*/iu;

type LetterContent = {
  subject: string;
  before: string;
  after: string;
  link?: string;
  button?: string;
  code?: string;
  lines?: string[];
};

/** One template, twice: as text and as HTML. */
function composeLetter(
  { first_name, locale }: Recipient,
  { subject, before, after, link, button, code, lines }: LetterContent,
): Letter {
  const greeting = textsOf(locale).greeting(LINK.test(first_name) ? "" : toPlainLine(first_name));
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
