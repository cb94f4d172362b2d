import type { Named } from "#shared/contract/service.ts";

/** The right to have a document made, which one at a time of an account has. */
export type Turn = { id: string; endsAt: number };

/** There is one for each account, named by its id. */
export interface Turns {
  /** Null while another has it. */
  begin(): Promise<Turn | null>;
  end(turn: Turn): Promise<void>;
}

/** Undefined where another's still lasts. One that nobody ends, because its Worker died, ends by itself. */
export function nextTurn(held: Turn | undefined, id: string, nowMs: number): Turn | undefined {
  if (held && nowMs < held.endsAt) return undefined;
  return { id, endsAt: nowMs + LONGEST_MS };
}

/** Null where another document of the account is being made: then nothing is done. */
export async function inTurn<Result>(turns: Named<Turns>, account_id: number, work: () => Promise<Result>) {
  const ofAccount = turns.getByName(String(account_id));
  const turn = await ofAccount.begin();
  if (!turn) return null;
  try {
    return await work();
  } finally {
    await ofAccount.end(turn);
  }
}

/** As long as the Worker may take in any case. */
const LONGEST_MS = 30_000;
