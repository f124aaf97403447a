/** Decides which addresses a webhook may be sent to, so that it can't reach what only this server can reach. */
import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";

type Subnet = readonly [address: string, prefix: number, family: "ipv4" | "ipv6"];

/** Networks of an operator's own, which WEBHOOK_PRIVATE=1 allows. */
const privateSubnets: readonly Subnet[] = [
  ["10.0.0.0", 8, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["127.0.0.0", 8, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["::1", 128, "ipv6"],
  ["fc00::", 7, "ipv6"],
];

/** Never: this network, link-local with the metadata services of clouds, multicast, reserved, examples. */
const reservedSubnets: readonly Subnet[] = [
  ["0.0.0.0", 8, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["192.0.0.0", 24, "ipv4"],
  ["192.0.2.0", 24, "ipv4"],
  ["192.88.99.0", 24, "ipv4"],
  ["198.18.0.0", 15, "ipv4"],
  ["198.51.100.0", 24, "ipv4"],
  ["203.0.113.0", 24, "ipv4"],
  ["224.0.0.0", 3, "ipv4"],
  ["2001::", 23, "ipv6"],
  ["2001:db8::", 32, "ipv6"],
  ["2002::", 16, "ipv6"],
  ["3fff::", 20, "ipv6"],
];

function blockList(subnets: readonly Subnet[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) list.addSubnet(...subnet);
  return list;
}

const [privateNetworks, reservedNetworks] = [privateSubnets, reservedSubnets].map(blockList) as [
  BlockList,
  BlockList,
];
/** Addresses that are given out; IPv4 inside of IPv6 and all else are reserved. */
const publicIpv6 = blockList([["2000::", 3, "ipv6"]]);

/** @param address an IP address */
export function isAllowedAddress(address: string, { allowsPrivate }: { allowsPrivate: boolean }) {
  const version = isIP(address);
  if (version === 0) return false;
  const family = version === 4 ? "ipv4" : "ipv6";
  // A zone (fe80::1%eth0) is only of link-local addresses.
  if (address.includes("%") || /^::ffff:/i.test(address)) return false;
  if (privateNetworks.check(address, family)) return allowsPrivate;
  if (reservedNetworks.check(address, family)) return false;
  return version === 4 || publicIpv6.check(address, family);
}

export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;

/**
 * Runs one look-up at a time, and one for all calls that wait for the same host. While a name server is silent, a look-up
 * holds one of the two threads that libuv has for them; new connections to the database need the other one. Addresses are
 * cached for a minute, so that hosts which were found don't wait for that look-up.
 */
export function limitLookups(resolve: Resolve): Resolve {
  const limit = pLimit(1);
  const addresses = new LRUCache<string, Awaited<ReturnType<Resolve>>>({
    max: 1_000,
    ttl: 60_000,
    fetchMethod: (hostname) => limit(resolve, hostname),
  });
  return (hostname) => addresses.forceFetch(hostname);
}

export const resolveByDns = limitLookups((hostname) => lookup(hostname, { all: true }));

/** Returns the host of a URL as a name or an IP address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}
