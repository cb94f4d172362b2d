import { getCACertificates } from "node:tls";
import type { WorkerName } from "../workers.ts";
import type { DatabaseServer } from "./sqld.ts";

/**
 * The networks of a local Worker by the names of their bindings: straight ways out, while the runtime's own leads through one
 * more Worker. Mail and the geocoder use the runtime's own, whose addresses the operator chooses. The runtime reads all
 * certificates for each network that may encrypt, at each of its starts: no other network gets them.
 */
export function networksOf(
  worker: WorkerName,
  database: DatabaseServer,
  { ALLOW_PRIVATE_TARGETS }: Record<string, string | undefined>,
) {
  const servers = [database, ...(database.further ?? [])];
  const isEncrypted = servers.some(({ isOwn }) => !isOwn);
  const allow = ALLOW_PRIVATE_TARGETS === "1" ? EVERYWHERE : ["public"];
  return {
    DB_NETWORK: { network: { allow: EVERYWHERE, ...(isEncrypted && { tlsOptions: TRUST }) } },
    /** Addresses are checked after names are resolved, so no name leads into a private network. */
    ...(SENDERS.includes(worker) && { TARGET_NETWORK: { network: { allow, tlsOptions: TRUST } } }),
  };
}

/** Workers that send to addresses of users: webhooks and push messages, and points to retranslators. */
const SENDERS: WorkerName[] = ["gateway", "geo"];
const EVERYWHERE = ["public", "private"];
/** Certificates as the runtime's own network trusts them; on Windows it finds none itself. */
const TRUST = {
  trustBrowserCas: true,
  trustedCertificates: [
    ...getCACertificates("extra"),
    ...(process.platform === "win32" ? getCACertificates("bundled") : []),
  ],
};
