/** Continues work after the answer. Errors are dropped: a sweep repeats the work. */
export async function runAfterAnswer(work: Promise<unknown>) {
  // Imported late: only Workers have this module, and scripts load declarations of operations too.
  const { waitUntil } = await import("cloudflare:workers");
  waitUntil(work.catch(() => undefined));
}
