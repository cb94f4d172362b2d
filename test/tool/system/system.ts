import { inject } from "vitest";
import { type Addresses, controls, type DatabaseControls, databaseControls, type System } from "./controls.ts";
import type { SystemRequest } from "./lending.ts";

type Lent = { stop(): Promise<void> };

/**
 * Lends the caller a system of six Workers with their databases, which no other test uses until `stop`. It may hold
 * accounts of tests that had it before. `environment` is what `npm start` would take from the environment; rates are
 * unlimited unless it limits them.
 */
export async function startSystem(environment: Record<string, string> = {}): Promise<System & Lent> {
  const { addresses, stop } = await borrow({ environment, isNew: false });
  return { ...addresses, ...controls(addresses), stop };
}

/** Like `startSystem`, with databases whose requests the test counts, delays or fails. */
export async function startWatchedSystem(
  environment: Record<string, string> = {},
): Promise<System & DatabaseControls & Lent> {
  return toWatchedSystem(await borrow({ environment, isNew: false }));
}

/** Like `startWatchedSystem`; no test had it before. */
export async function startNewSystem(
  environment: Record<string, string> = {},
): Promise<System & DatabaseControls & Lent> {
  return toWatchedSystem(await borrow({ environment, isNew: true }));
}

function toWatchedSystem({ addresses, stop }: Awaited<ReturnType<typeof borrow>>) {
  return { ...addresses, ...controls(addresses), ...databaseControls(addresses), stop };
}

async function borrow(request: SystemRequest) {
  const lender = inject("lender");
  const body = JSON.stringify(request);
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
