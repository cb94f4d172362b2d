import * as z from "zod";
import { isHttp, WIALON_IPS } from "#shared/contract/tracker/retranslation.ts";
import { invalid } from "#shared/error/api-error.ts";
import { isPublic, receiverAt } from "#shared/network/receiver-address.ts";
import { changesOf } from "#shared/operation/changes.ts";
import { dateTime, trimmedText } from "#shared/operation/fields.ts";
import { PROTOCOLS, type Protocol } from "../protocols.ts";

/** An empty string counts as no login or no password. */
const Credential = z
  .union([z.literal(""), trimmedText(1, 64)])
  .nullable()
  .default(null);

export const NewRetranslator = z.object({
  name: trimmedText(1, 64),
  protocol_id: z.int(),
  address: trimmedText(1, 255),
  port: z.int().min(1).max(65_535),
  login: Credential,
  password: Credential,
  enabled: z.boolean().default(true),
});
export type NewRetranslator = z.output<typeof NewRetranslator>;

export const ChangedRetranslator = changesOf(NewRetranslator).extend({ id: z.int() });
export type ChangedRetranslator = z.output<typeof ChangedRetranslator>;

/** A retranslator as answers contain it: `login` and `password` are absent when it has none. */
export const Retranslator = NewRetranslator.extend({
  id: z.int(),
  login: z.string().optional(),
  password: z.string().optional(),
  enabled: z.boolean(),
});
export type Retranslator = z.output<typeof Retranslator>;

export const RetranslatorStatus = z.object({
  retranslator_id: z.int(),
  last_success: dateTime().nullable(),
  last_error: z.object({ time: dateTime(), message: z.string() }).nullable(),
  /** The number of points that wait to be sent. */
  backlog: z.int(),
  /** The number of trackers bound to the retranslator. */
  trackers: z.int(),
  /** The bound trackers, for `with_bindings`; without `fake_device_id` the receiver gets the device's own id. */
  bindings: z.array(z.object({ tracker_id: z.int(), fake_device_id: z.string().optional() })).optional(),
});
export type BoundTracker = NonNullable<z.output<typeof RetranslatorStatus>["bindings"]>[number];

/** Bindings are answered for one retranslator at a time: an account may have a hundred, each with all of its trackers. */
export const StatusSearch = z.object({
  retranslator_ids: z.array(z.int()).max(1000).optional(),
  with_bindings: z.boolean().default(false),
});

/**
 * Checks the members together: protocol, credentials and address. Receivers in private networks need
 * `ALLOW_PRIVATE_TARGETS`.
 */
export function requireProtocol(input: NewRetranslator, allowsPrivate: boolean): Protocol {
  const protocol = PROTOCOLS.find(({ id }) => id === input.protocol_id);
  if (!protocol) throw invalid("retranslator.protocol_id", "is no protocol");
  if (protocol.required_login && !input.login) throw invalid("retranslator.login", "is required");
  if (protocol.required_password && !input.password) throw invalid("retranslator.password", "is required");
  // A semicolon ends the password's field in the log-in packet, and the protocol has no way to escape it.
  if (protocol.id === WIALON_IPS && input.password?.includes(";")) {
    throw invalid("retranslator.password", "must not contain a semicolon");
  }
  const receiver = receiverAt(input.address, input.port, isHttp(protocol.id));
  if (!receiver) throw invalid("retranslator.address", "must be the name or address of a host");
  if (!allowsPrivate && !isPublic(receiver.hostname)) throw invalid("retranslator.address", "is in a private network");
  return protocol;
}
