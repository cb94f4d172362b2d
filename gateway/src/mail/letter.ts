import { html } from "hono/html";
import type {
  EventNotice,
  Notice,
  ReportNotice,
  ServiceNotice,
  WebhookNotice,
} from "#shared/contract/event/service-notice.ts";
import { languageOf } from "#shared/text/language.ts";
import { writeLocal } from "#shared/time/clock.ts";
import type { UserRow } from "../table/user.ts";
import { TEXTS, type Texts } from "./texts.ts";

/** A mail without its recipient. `secret`: the hash or code in its text. */
export type Letter = { subject: string; text: string; html: string; secret?: string };
type Recipient = { first_name: string; locale: string };

/** Asks a new user to activate the account by the link. */
export function toActivationLetter(recipient: Recipient, link: string): Letter {
  const { activation } = textsOf(recipient.locale);
  return composeLetter(recipient, { ...activation, link });
}

/** Lets a user who forgot the password choose a new one by the link. */
export function toRestoreLetter(recipient: Recipient, link: string): Letter {
  const { restore } = textsOf(recipient.locale);
  return composeLetter(recipient, { ...restore, link });
}

/** The code that completes a log-in. */
export function toCodeLetter(recipient: Recipient, code: string): Letter {
  const { code: words } = textsOf(recipient.locale);
  return composeLetter(recipient, { ...words, code });
}

/** Asks an outside address whether it wants mails of an account. Without any text by the account, against misuse for spam. */
export function toAgreementLetter(recipient: Recipient, link: string): Letter {
  const { agreement } = textsOf(recipient.locale);
  return { ...composeLetter({ ...recipient, first_name: "" }, { ...agreement, link }), secret: undefined };
}

/** The mail of a service's notice, in the language and time zone of the account's master. */
export function toNoticeLetter(
  notice: Notice,
  master: Pick<UserRow, "locale" | "time_zone">,
  publicUrl: string,
): Letter {
  if (!("kind" in notice)) return toServiceLetter(notice, master);
  if (notice.kind === "webhook") return toWebhookLetter(notice, master);
  return notice.kind === "event" ? toEventLetter(notice, master) : toReportLetter(notice, master, publicUrl);
}

/** Reports that a webhook gets no more events. */
function toWebhookLetter({ label, reason }: WebhookNotice, { locale }: Pick<UserRow, "locale">): Letter {
  const { webhook } = textsOf(locale);
  const name = toPlainLine(label).slice(0, MAX_SUBJECT_CHARS);
  return composeLetter({ first_name: "", locale }, { ...webhook[reason], subject: webhook.subject(name) });
}

/** The link of a finished report. All recipients of the mail can open it, until the link expires. */
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

/** Reports an event with the message of its rule. */
function toEventLetter(
  { tracker_label, message, time }: EventNotice,
  { locale, time_zone }: Pick<UserRow, "locale" | "time_zone">,
): Letter {
  const { event } = textsOf(locale);
  const [tracker, eventMessage] = [toPlainLine(tracker_label), toPlainLine(message)];
  const lines = [
    `${event.tracker}: ${tracker}`,
    `${event.message}: ${eventMessage}`,
    `${event.time}: ${writeLocal(time, time_zone)}`,
  ];
  return composeLetter(
    { first_name: "", locale },
    {
      subject: event.subject(tracker, eventMessage.slice(0, MAX_SUBJECT_CHARS)),
      before: event.before,
      after: event.after,
      lines,
    },
  );
}

/** Reports that a service task is due soon or overdue. */
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

/** The texts in the language of the locale; English if there are none in that language. */
export function textsOf(locale: string): Texts {
  return TEXTS[languageOf(locale)];
}

/** Makes a user's text safe for our mails: one line, without links. */
/** Whether a name looks like a name: anybody can register a user whose name is an advertisement with a link. */
function isPlainName(name: string): boolean {
  return /^[\p{L}\p{M} '’.-]{1,40}$/u.test(name) && !/\.\p{L}/u.test(name);
}

function toPlainLine(text: string) {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").replace(new RegExp(LINK, "giu"), "…");
}

const MAX_SUBJECT_CHARS = 100;
/** Text that mail programs would turn into a link. */
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

/** The mail as plain text and as HTML. */
function composeLetter(
  { first_name, locale }: Recipient,
  { subject, before, after, link, button, code, lines }: LetterContent,
): Letter {
  const greeting = textsOf(locale).greeting(isPlainName(first_name) ? first_name : "");
  const text = [greeting, before, lines?.join("\n") ?? link ?? code ?? "", after].join("\n\n");
  const action = lines
    ? html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`
    : link
      ? html`<p><a href="${link}">${button ?? link}</a></p>
<p>${link}</p>`
      : html`<p style="font-size:2em;letter-spacing:.2em">${code ?? ""}</p>`;
  const page = html`<!doctype html>
<html lang="${languageOf(locale)}">
<head><meta charset="utf-8">
<title>${subject}</title></head>
<body style="font:16px/1.5 sans-serif">
<p>${greeting}</p>
<p>${before}</p>
${action}
<p>${after}</p>
</body>
</html>`;
  return {
    subject,
    text,
    html: String(page),
    secret: code ?? (link && new URL(link).searchParams.get("hash")) ?? undefined,
  };
}
