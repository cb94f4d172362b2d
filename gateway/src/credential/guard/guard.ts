import type { Principal } from "#shared/caller/principal.ts";
import type { Rate } from "./fixed-window.ts";

/** Without a version, the credential is none or has ended; without a principal, it is the one known by the version. */
export type Admission = { rate: Rate; version?: string; principal?: Principal };

/** Who calls with a credential, and whether too often. There is one for each, named by the credential's keyed hash. */
export interface Guard {
  /** Counts the call. Who `known` says that it knows the principal of is not sent it again. */
  admit(key: string, knownVersion: string | undefined): Promise<Admission>;
  /** Counts the call, and keeps the socket's name: it is refreshed with the credential. Each may have only so many. */
  attach(key: string, socket: string): Promise<Admission & { isWithinLimit: boolean }>;
  detach(socket: string): Promise<void>;
  /** Who calls, without counting it; undefined: the credential is none or has ended. */
  principal(key: string): Promise<Principal | undefined>;
  /** Once a change is stored, before it is answered: the next call is looked up anew, and no socket hears of what it may not. */
  refresh(): Promise<void>;
  /** The same of these credentials, its own and others. */
  refreshAll(keys: string[]): Promise<void>;
}
