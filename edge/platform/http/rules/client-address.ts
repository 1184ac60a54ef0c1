import ipaddr from 'ipaddr.js'
import type { QuotaPolicy } from '../../quotas/rules/lease.ts'

/** Prefix length of an IPv6 network that typically belongs to one household or server. */
const NETWORK_BITS = 64

/** Prefix length of what one IPv6 customer is assigned at most: 65,536 networks, so limits per network are not enough. */
const BLOCK_BITS = 48

/** Prefix length of a shortened IPv4 address. */
const SHORT_BITS = 24

/** Limits of a block are this many times those of a network, because customers of mobile carriers share blocks. */
export const BLOCK_FACTOR = 16

/**
 * Returns the subject under which a client's requests are counted.
 * @param address the address from the platform (CF-Connecting-IP), never from headers that clients can set, such as
 * X-Forwarded-For. Requests without an address share one counter.
 * @returns an IPv4 address, or the /64 network of an IPv6 address, because one owner controls all of its 2^64
 * addresses.
 */
export function clientSubject(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${NETWORK_BITS}`)}/${NETWORK_BITS}`
}

/**
 * Returns the /48 of an IPv6 address or network; null for all others.
 * @param subject an address, or what `clientSubject` returned for it
 */
export function blockOf(subject: string | null): string | null {
  const [address = ''] = (subject ?? '').split('/')
  if (!ipaddr.isValid(address)) return null
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return null
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${BLOCK_BITS}`)}/${BLOCK_BITS}`
}

/**
 * Returns the network of a client, which people recognize but which is shared by many: the /24 of an IPv4 address, or the
 * /48 of an IPv6 address; null without an address.
 */
export function shortenAddress(address: string | null): string | null {
  if (address === null || !ipaddr.isValid(address)) return null
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv4)) return blockOf(address)
  return `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed}/${SHORT_BITS}`)}/${SHORT_BITS}`
}

/** Returns the limit of a block for a limit of a network. */
export function widenPolicy(policy: QuotaPolicy): QuotaPolicy {
  return { ...policy, limit: policy.limit * BLOCK_FACTOR }
}
