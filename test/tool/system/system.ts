import { inject } from "vitest";
import { type Addresses, controls, type DatabaseControls, databaseControls, type System } from "./controls.ts";
import type {} from "./lending.ts";

type Lent = { stop(): Promise<void> };

/**
 * Lends the caller a system of six Workers with their databases, which no other test uses until `stop`. It may hold
 * accounts of tests that had it before. `environment` is what `npm start` would take from the environment; rates are
 * unlimited unless it limits them.
 */
export async function startSystem(environment: Record<string, string> = {}): Promise<System & Lent> {
  const { addresses, stop } = await borrow(environment);
  return { ...addresses, ...controls(addresses), stop };
}

/** Like `startSystem`, with databases whose requests the test counts, delays or fails. */
export async function startWatchedSystem(
  environment: Record<string, string> = {},
): Promise<System & DatabaseControls & Lent> {
  const { addresses, stop } = await borrow(environment);
  return { ...addresses, ...controls(addresses), ...databaseControls(addresses), stop };
}

async function borrow(environment: Record<string, string>) {
  const lender = inject("lender");
  const body = JSON.stringify(environment);
  const answer = await fetch(`${lender}/systems`, { method: "POST", body });
  if (!answer.ok) throw new Error(`No system was started: ${await answer.text()}`);
  const { id, ...addresses } = (await answer.json()) as Addresses & { id: number }; // from lending.ts
  return {
    addresses,
    async stop() {
      await fetch(`${lender}/systems/${id}`, { method: "DELETE" });
    },
  };
}

const DOCUMENT_LIMITS = Object.fromEntries(
  ["pdf", "xls", "xlsx"].map((format) => [format, { cells: 3, characters: 5 }]),
);

/**
 * Settings of an installation whose limits are soon reached. Files that need one of them ask for all, so that they use the
 * same system one after the other: to start one takes seconds of processor time.
 */
export const SMALL_LIMITS = {
  DOCUMENT_LIMITS: JSON.stringify(DOCUMENT_LIMITS),
  SOCKET_HEARTBEAT_SECONDS: "1",
  SOCKETS_PER_CREDENTIAL: "3",
  SOCKET_TRACKERS: "5",
  // Calls that wait for a paused database hold their turns meanwhile.
  STATEMENT_SECONDS: "60",
};
