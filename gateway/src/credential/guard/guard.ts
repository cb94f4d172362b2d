import type { Principal } from "#shared/caller/principal.ts";
import type { Rate } from "./fixed-window.ts";

/** Who calls with a credential, and whether too often. There is one for each, named by the credential's keyed hash. */
export interface Guard {
  /** Counts the call. Without a principal, the credential is none or has ended. */
  admit(key: string): Promise<{ rate: Rate; principal: Principal | undefined }>;
  /** Once a change is stored, before it is answered: the next call is looked up anew. */
  refresh(): Promise<void>;
}
