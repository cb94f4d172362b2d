import { getCACertificates } from "node:tls";

/**
 * The networks of a local Worker by the names of their bindings: straight ways out, while the runtime's own leads through one
 * more Worker. Mail and the geocoder use the runtime's own, whose addresses the operator chooses.
 */
export function networksOf({ ALLOW_PRIVATE_TARGETS }: Record<string, string | undefined>) {
  return {
    DB_NETWORK: { network: { allow: EVERYWHERE, tlsOptions: TRUST } },
    /** Addresses are checked after names are resolved, so no name leads into a private network. */
    TARGET_NETWORK: { network: { allow: ALLOW_PRIVATE_TARGETS === "1" ? EVERYWHERE : ["public"], tlsOptions: TRUST } },
  };
}

const EVERYWHERE = ["public", "private"];
/** Certificates as the runtime's own network trusts them; on Windows it finds none itself. */
const TRUST = {
  trustBrowserCas: true,
  trustedCertificates: [
    ...getCACertificates("extra"),
    ...(process.platform === "win32" ? getCACertificates("bundled") : []),
  ],
};
