import ipaddr from 'ipaddr.js'

/** Prefix length of an IPv6 network that typically belongs to one household or server. */
const NETWORK_BITS = 64

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
