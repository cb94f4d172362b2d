import { queryOptions } from "@tanstack/react-query";
import type { Reply } from "../../../clients/typescript/src/index.ts";
import { call } from "./api.ts";

export type Session = Reply<"/user/session/list">["list"][number];

/** The sessions of the user, without API keys. */
export const sessionsQuery = queryOptions({
  queryKey: ["user", "session", "list"],
  queryFn: async () => (await call("/user/session/list")).list.filter(({ kind }) => kind !== "api_key"),
});

/** A browser and its system, as people name them. */
export function programOf(userAgent: string): string | undefined {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\/(\d+)/.exec(userAgent.replace(/HeadlessChrome/, "Chrome"));
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(userAgent)?.[1];
  if (!browser) return userAgent.slice(0, 60) || undefined;
  const names: Record<string, string> = { Edg: "Edge", OPR: "Opera" };
  const name = browser[1] ?? "";
  return [names[name] ?? name, browser[2], system && `· ${system}`].filter(Boolean).join(" ");
}
