import { Slots } from "#shared/background/slots.ts";

/**
 * Removes what a closed socket has left, while few other sockets of this isolate do so. Each takes some milliseconds of
 * storage: a thousand that close at once would keep all other calls waiting until the last one is done.
 */
export async function withinClosingLimit(remove: () => Promise<void>): Promise<void> {
  waiting++;
  try {
    // The more wait, the longer: all of them together wake the isolate some hundred times a second.
    while (CLOSINGS.areFull()) await pause(Math.random() * waiting * 2 * REMOVAL_MS);
  } finally {
    waiting--;
  }
  const taken = CLOSINGS.take();
  try {
    await remove();
  } finally {
    CLOSINGS.free(taken);
  }
}

function pause(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

let waiting = 0;
/** The usual time of a removal. */
const REMOVAL_MS = 3;
const MAX_CLOSINGS = 2;
/** An object that is evicted during a removal never ends it; its alarm removes the rest. */
const LAPSE_MS = 10_000;
const CLOSINGS = new Slots(MAX_CLOSINGS, LAPSE_MS);
