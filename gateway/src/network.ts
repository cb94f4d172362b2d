/**
 * The network that limits count as one caller: an IPv4 address, or the first 64 bits of an IPv6 address, because one
 * customer of a provider has all addresses that begin with them.
 */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [before = "", after] = address.split("::");
  const groups = groupsOf(before);
  const zeros = after === undefined ? 0 : GROUPS_PER_ADDRESS - groups.length - groupsOf(after).length;
  const all = [...groups, ...Array<string>(Math.max(0, zeros)).fill("0"), ...groupsOf(after ?? "")];
  return `${all.slice(0, GROUPS_PER_NETWORK).join(":")}::/64`;
}

/** The groups of a part of an IPv6 address in one notation: lower case without leading zeros. */
function groupsOf(part: string): string[] {
  return part === "" ? [] : part.split(":").map((group) => Number.parseInt(group || "0", 16).toString(16));
}

const GROUPS_PER_ADDRESS = 8;
const GROUPS_PER_NETWORK = 4;
