import type { LiveUpdate } from "#shared/contract/live.ts";

/** The object of one client's connection; its name is random. */
export interface LiveSocket {
  /** Upgrades the client's request to the connection. */
  fetch(request: Request): Promise<Response>;
  /** Accepts a live update; false if the connection is closed or has no subscriptions. */
  deliver(update: LiveUpdate): Promise<boolean>;
  isOpen(): Promise<boolean>;
  /** Reloads the caller's rights. After the answer the client gets nothing that the caller may not see. */
  refresh(): Promise<void>;
}
