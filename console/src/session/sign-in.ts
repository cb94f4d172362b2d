import { clientFor } from "./api.ts";

/** A log-in that waits for a second step: its hash is good for the code alone. */
export type SecondStep = { hash: string; factor: "email" | "totp" };

/** Signs in with a password; answers the hash of a session, or the second step that follows. */
export async function signIn(login: string, password: string): Promise<string | SecondStep> {
  const { hash, type, factor_type } = await clientFor().call("/user/auth", { login, password });
  return type === "second_factor_required" ? { hash, factor: factor_type ?? "email" } : hash;
}

/** Completes a log-in with a code; answers the hash of the session. */
export async function verifyCode(step: SecondStep, code: string): Promise<string> {
  return (await clientFor(step.hash).call("/user/auth/code/verify", { code })).hash;
}

export async function resendCode(step: SecondStep): Promise<void> {
  await clientFor(step.hash).call("/user/auth/code/resend");
}

export async function requestPasswordLink(login: string): Promise<void> {
  await clientFor().call("/user/restore_password", { login });
}

export async function requestActivationLink(login: string): Promise<void> {
  await clientFor().call("/user/resend_activation", { login });
}

/** The demo account that this system offers; null if it has none. */
export async function readDemoLogin(): Promise<{ login: string; password: string } | null> {
  const response = await fetch("/console.json");
  if (!response.ok) return null;
  const { demo }: { demo: { login: string; password: string } | null } = await response.json();
  return demo;
}
