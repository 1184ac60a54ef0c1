import ipaddr from 'ipaddr.js'

/** Prefix length of an IPv6 network that belongs to one household or server. */
const NETWORK_BITS = 64

/**
 * Returns the name under which a client's requests are counted.
 * @param address from the platform (CF-Connecting-IP), never from headers that clients can set, such as
 * X-Forwarded-For. Requests without an address are counted together.
 * @returns an IPv4 address, or the /64 network of an IPv6 address, whose owner has 2^64 of them.
 */
export function clientSubject(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${NETWORK_BITS}`)}/${NETWORK_BITS}`
}
