import ipaddr from 'ipaddr.js'

/** Bits of an IPv6 address that one household or server has to itself. */
const NETWORK_BITS = 64

/**
 * The name under which a client's uses are counted.
 * @param address what the platform says of the connection (CF-Connecting-IP); headers that a client can
 * write, as X-Forwarded-For, are never asked. Without one all are counted together.
 * @returns an IPv4 address, or the /64 network of an IPv6 address, whose owner has 2^64 of them.
 */
export function clientSubject(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${NETWORK_BITS}`)}/${NETWORK_BITS}`
}
