import * as z from "zod";
import { ApiError } from "#shared/error/api-error.ts";
import { seal, unseal } from "#shared/secret/seal.ts";
import type { GatewayEnv } from "../../env.ts";
import type { Addressee } from "./queries.ts";

type LinkEnv = Pick<GatewayEnv, "ENCRYPTION_KEY" | "PUBLIC_URL">;

/** The link by which an addressee agrees. Its token contains account and address, encrypted. */
export async function createAgreementLink(env: LinkEnv, addressee: Addressee): Promise<string> {
  const token = await seal(JSON.stringify(addressee), env.ENCRYPTION_KEY);
  return `${publicUrlOf(env)}/api-v2/notification/agreement/show?token=${token}`;
}

/** The public URL of the gateway, for links in mails. */
export function publicUrlOf({ PUBLIC_URL }: Pick<GatewayEnv, "PUBLIC_URL">): string {
  return PUBLIC_URL || "http://localhost";
}

/** The addressee of a token; 201 if this installation did not create it. */
export async function readAddressee(env: LinkEnv, token: string): Promise<Addressee> {
  const text = await unseal(token, env.ENCRYPTION_KEY).catch(() => "null");
  const parsed = SealedAddressee.safeParse(JSON.parse(text));
  if (!parsed.success) throw new ApiError(201);
  return parsed.data;
}

const SealedAddressee = z.object({ account_id: z.int(), address: z.string() });
