import type { LiveUpdate } from "#shared/contract/live.ts";

/** One client's connection. There is an object for each, of a name that nobody else has. */
export interface LiveSocket {
  /** The client's request, which becomes its connection. */
  fetch(request: Request): Promise<Response>;
  /** What is new of trackers; false: there is nobody any more who would want to know. */
  deliver(news: LiveUpdate): Promise<boolean>;
  /** The caller may have changed, or be none any more: once it has answered, the client hears of nothing that it may not. */
  refresh(): Promise<void>;
}
