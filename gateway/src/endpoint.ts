import { isPublic } from "#shared/network/receiver-address.ts";

/** True for https URLs with public hosts; if private networks are allowed, also private hosts, and http on this machine. */
export function isEndpoint(url: string, allowsPrivate: boolean): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:") return allowsPrivate || isPublic(hostname);
  return allowsPrivate && protocol === "http:" && LOOPBACK.test(hostname);
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
