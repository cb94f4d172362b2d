import type { FieldErrors } from "../component/field-errors.ts";
import type { Texts } from "../text/texts.ts";
import type { NewRetranslator, Protocol, Retranslator } from "./queries.ts";

/** A retranslator while its form is filled in. */
export type Draft = {
  name: string;
  protocolId: number | undefined;
  address: string;
  port: number | string;
  login: string;
  password: string;
};

export function toDraft(retranslator: Retranslator | undefined): Draft {
  const { name = "", protocol_id: protocolId, address = "", port = "", login = "", password = "" } = retranslator ?? {};
  return { name, protocolId, address, port, login, password };
}

/** Which credentials the form has: those of the protocol, and those that are stored although the protocol has none. */
export function credentialsOf(protocol: Protocol | undefined, stored: Retranslator | undefined) {
  return {
    hasLogin: protocol?.has_login || Boolean(stored?.login),
    hasPassword: protocol?.has_password || Boolean(stored?.password),
  };
}

export function toNewRetranslator(draft: Draft, protocol: Protocol, stored: Retranslator | undefined): NewRetranslator {
  const { name, address, port, login, password } = draft;
  const { hasLogin, hasPassword } = credentialsOf(protocol, stored);
  return {
    ...{ name: name.trim(), protocol_id: protocol.id, address: address.trim(), port: Number(port) },
    login: (hasLogin && login) || null,
    password: (hasPassword && password) || null,
  };
}

/** Finds values that are missing; the server checks everything else. */
export function checkDraft(draft: Draft, protocol: Protocol | undefined, { retranslator: words }: Texts): FieldErrors {
  const errors: FieldErrors = {};
  if (!draft.name.trim()) errors.name = words.errors.required;
  if (!protocol) errors.protocol_id = words.errors.required;
  if (!draft.address.trim()) errors.address = words.errors.required;
  if (draft.port === "") errors.port = words.errors.required;
  if (protocol?.required_login && !draft.login) errors.login = words.errors.required;
  if (protocol?.required_password && !draft.password) errors.password = words.errors.required;
  return errors;
}
