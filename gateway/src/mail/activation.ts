type Recipient = { login: string; first_name: string };

/** The mail whose link activates a new user. */
export function activationMail({ login, first_name }: Recipient, link: string) {
  const greeting = first_name ? `Hello ${first_name},` : "Hello,";
  const lines = [greeting, "your account is ready. Open this link within 7 days to activate it:", link];
  return { to: login, subject: "Activate your account", text: lines.join("\n\n"), html: "" };
}

/** How long the link works. */
export const ACTIVATION_MS = 7 * 86_400_000;
