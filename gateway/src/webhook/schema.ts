import * as z from "zod";
import { changesOf } from "#shared/operation/changes.ts";
import { dateTime, printableText, trimmedText } from "#shared/operation/fields.ts";
import { isEndpoint } from "../endpoint.ts";
import { typesOf } from "../event/type-pattern.ts";
import type { WebhookRow } from "../table/webhook.ts";

const Ids = z.array(z.int()).min(1).max(1_000).nullable().default(null);

const Header = z.object({
  name: z
    .string()
    .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/, { error: "must be the name of a header" })
    .refine((name) => !RESERVED_HEADERS.test(name), { error: "is set by the system" }),
  value: printableText(1, 1_000),
});

export const NewWebhook = z.object({
  label: trimmedText(0, 100).default(""),
  url: z.string().max(2_000),
  /** Types of events, or patterns: `*`, `task.*`. */
  types: z
    .array(
      z
        .string()
        .max(100)
        .refine((pattern) => typesOf([pattern]).length > 0, { error: "is no type of events" }),
    )
    .min(1)
    .max(200)
    .default(["*"]),
  tracker_ids: Ids,
  tag_ids: Ids,
  zone_ids: Ids,
  headers: z.array(Header).max(10).default([]),
  /** Deliver events of one thing in their order. */
  ordered: z.boolean().default(false),
  /** Sign with Ed25519, too. */
  ed25519: z.boolean().default(false),
  enabled: z.boolean().default(true),
});
export type NewWebhook = z.output<typeof NewWebhook>;
export const ChangedWebhook = changesOf(NewWebhook).extend({ id: z.int() });
export type ChangedWebhook = z.output<typeof ChangedWebhook>;

/** A webhook as answers contain it: without secrets and the values of its headers. */
export const Webhook = z.object({
  id: z.int(),
  user_id: z.int(),
  label: z.string(),
  url: z.string(),
  types: z.array(z.string()),
  tracker_ids: z.array(z.int()).nullable(),
  tag_ids: z.array(z.int()).nullable(),
  zone_ids: z.array(z.int()).nullable(),
  header_names: z.array(z.string()),
  ordered: z.boolean(),
  /** The key with which receivers verify signatures `v1a`; null without them. */
  public_key: z.string().nullable(),
  enabled: z.boolean(),
  disabled_reason: z.enum(["gone", "failing"]).nullable(),
  created: dateTime(),
  /** Until when the secret before the last rotation is valid; null without one. */
  previous_secret_until: dateTime().nullable(),
});

export function toWebhook(row: WebhookRow, header_names: string[], now: number): z.output<typeof Webhook> {
  const { id, user_id, label, url, types, tracker_ids, tag_ids, zone_ids, ordered, public_key, enabled } = row;
  const { disabled_reason, created, previous_until } = row;
  return {
    ...{ id, user_id, label, url, types, tracker_ids, tag_ids, zone_ids, header_names, ordered, public_key, enabled },
    ...{ disabled_reason, created },
    previous_secret_until: previous_until !== null && previous_until > now ? previous_until : null,
  };
}

type Surroundings = { allowsPrivate: boolean; ownHosts: string[] };

/** Why events must not be posted to the address; undefined for a fit one. */
export function findUrlError(text: string, { allowsPrivate, ownHosts }: Surroundings): string | undefined {
  if (!URL.canParse(text)) return "must be a URL";
  const { username, password, host, port, hash } = new URL(text);
  if (username !== "" || password !== "") return "must not contain a user name or password";
  if (hash !== "") return "must not have a part behind #";
  if (ownHosts.includes(host)) return "must not be on this installation";
  if (MAIL_AND_SHELL_PORTS.includes(Number(port))) return "must not have the port of another protocol";
  return isEndpoint(text, allowsPrivate) ? undefined : "must begin with https:// and be on the Internet";
}

/** Ports on which other protocols listen that could be misled by a request. */
const MAIL_AND_SHELL_PORTS = [19, 21, 22, 23, 25, 53, 110, 119, 135, 139, 143, 389, 445, 465, 514, 587, 636, 993, 995];
const RESERVED_HEADERS =
  /^(webhook-.*|content-.*|host|connection|transfer-encoding|upgrade|te|trailer|keep-alive|proxy-.*|expect|user-agent|date|cf-.*)$/i;
