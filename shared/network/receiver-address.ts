/**
 * Parses a receiver's address: a host or, over HTTP, also `https://host/path`. Undefined when invalid. Without a
 * scheme, HTTP uses https on port 443 and http on other ports.
 */
export function receiverAt(address: string, port: number, overHttp: boolean): URL | undefined {
  const { scheme, authority = "", path = "" } = ADDRESS.exec(address)?.groups ?? {};
  if (/[\s@\\#]/.test(address) || (!overHttp && (scheme || path))) return undefined;
  // IPv6 addresses may come without brackets.
  const host = authority.split(":").length > 2 && !authority.startsWith("[") ? `[${authority}]` : authority;
  if (/:\d*$/.test(host)) return undefined;
  const text = `${scheme ?? (port === 443 ? "https://" : "http://")}${host}${path}`;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  url.port = String(port);
  return url;
}

/** Whether a URL's host is public: not a name or address of a private network. */
export function isPublic(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, "");
  if (host.startsWith("[")) return isPublicIpv6(host.slice(1, -1));
  if (/^\d+(\.\d+){3}$/.test(host)) return isPublicIpv4(host);
  return host.includes(".") && !PRIVATE_NAMES.test(host);
}

function isPublicIpv4(host: string) {
  const address = host.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  return !PRIVATE_IPV4.some(([start, bits]) => {
    const size = 2 ** (32 - bits);
    const first = start.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
    return address >= first && address < first + size;
  });
}

/** Global unicast only, without ranges that map IPv4 addresses or are for documentation (RFC 3849, RFC 9637). */
function isPublicIpv6(host: string) {
  const [first = "", second = ""] = host.split(":");
  const start = Number.parseInt(first || "0", 16);
  if (start < 0x2000 || start > 0x3fff || start === 0x2002) return false;
  const isDocumentation = start === 0x3fff && Number.parseInt(second || "0", 16) < 0x1000;
  return !isDocumentation && !(start === 0x2001 && ["", "0", "db8", "0db8"].includes(second));
}

const PRIVATE_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa)$/;
/** Ranges of private networks, for documentation (RFC 5737), for tests, and for many receivers. */
const PRIVATE_IPV4: [start: string, bits: number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

const ADDRESS = /^(?<scheme>https?:\/\/)?(?<authority>[^/?#]*)(?<path>.*)$/i;
