export type Mail = { id: number; to: string; subject: string; text: string; html: string };
/** `refused`: for good, so that retries are useless. `failed`: to be retried. */
export type Outcome = "sent" | "refused" | "failed";

/** Posts a mail to the installation's mail service. The log contains neither address nor text. */
export async function postMail(url: string, { id, to, subject, text, html }: Mail): Promise<Outcome> {
  const body = JSON.stringify({ to, subject, text, html });
  const headers = { "Content-Type": "application/json" };
  const request = {
    method: "POST",
    headers,
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  } as const;
  const answer = await fetch(url, request).catch(() => undefined);
  await answer?.body?.cancel();
  const outcome = answer ? toOutcome(answer.status) : "failed";
  if (outcome !== "sent") console.error(JSON.stringify({ mail: id, outcome, status: answer?.status }));
  return outcome;
}

function toOutcome(status: number): Outcome {
  if (status >= 200 && status < 300) return "sent";
  return status >= 400 && status < 500 && !TEMPORARY_STATUSES.includes(status) ? "refused" : "failed";
}

/** Statuses 4xx that do not concern the mail itself: timeout, too early, too many requests. */
const TEMPORARY_STATUSES = [408, 425, 429];
const TIMEOUT_MS = 10_000;
