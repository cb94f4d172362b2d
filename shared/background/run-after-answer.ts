/** For work that the caller need not wait for; what fails is left to whoever sweeps it up. */
export async function runAfterAnswer(work: Promise<unknown>) {
  // Imported when it is needed: only Workers have the module, and the declarations of operations are read elsewhere too.
  const { waitUntil } = await import("cloudflare:workers");
  waitUntil(work.catch(() => undefined));
}
