import type { Principal } from "#shared/caller/principal.ts";
import type { Rate } from "./fixed-window.ts";

/** Without `version`: no such credential, or it has ended. Without `principal`: the one that the asker knows is current. */
export type Admission = { rate: Rate; version?: string; principal?: Principal };

/** The object that knows a credential's principal and counts its calls. It is named by the credential's keyed hash. */
export interface Guard {
  /** Counts the call. The principal is left out of the answer if `knownVersion` is its current version. */
  admit(key: string, knownVersion: string | undefined): Promise<Admission>;
  /** Counts the call and registers the socket, which is then refreshed with the credential, if the limit allows it. */
  attach(key: string, socket: string): Promise<Admission & { isWithinLimit: boolean }>;
  detach(socket: string): Promise<void>;
  /** The caller, without counting a call; undefined if there is no such credential or it has ended. */
  principal(key: string): Promise<Principal | undefined>;
  /** To be called when a change is stored and before it is answered: the next call and all sockets load the principal anew. */
  refresh(): Promise<void>;
  /** Refreshes the guards of these credentials: a call may reach only so many objects, so guards share the work. */
  refreshAll(keys: string[]): Promise<void>;
}
