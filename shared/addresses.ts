import ipaddr from 'ipaddr.js'

/**
 * Decides which addresses can be requested on behalf of a caller. The edge checks the URL text; the fleet also
 * checks the resolved IP addresses.
 */

/** Host names that are never public. */
const PRIVATE_NAMES =
  /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home|home\.arpa|corp|private|test|invalid|example|onion)$/

/** The parts of a URL, as in the URL class. */
export interface WebAddress {
  protocol: string
  username: string
  password: string
  hostname: string
  /** '' for the protocol's default port. */
  port: string
}

/** Ports below this belong to other protocols, such as mail, shells and name servers. */
const FREE_PORTS_FROM = 1024
const PORT_MAX = 65_535

/** Checks whether HTTP requests to this port are allowed; '' is the default port. */
export function isWebPort(port: string | number): boolean {
  const number = Number(port)
  return port === '' || number === 80 || number === 443 || (number >= FREE_PORTS_FROM && number <= PORT_MAX)
}

/** Returns the host without the brackets of an IPv6 address and without trailing dots. */
export function hostOf(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
}

/**
 * Checks the text of a URL. It must have the scheme http or https, a public host, an allowed port and no
 * credentials. The downloader also checks what the host name resolves to.
 */
export function isPublicWebAddress(url: WebAddress): boolean {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false
  if (url.username !== '' || url.password !== '' || !isWebPort(url.port)) return false
  return isPublicHost(url.hostname)
}

/** Checks whether a host is a public IP address, or a name that can be public. */
export function isPublicHost(hostname: string): boolean {
  const host = hostOf(hostname)
  if (ipaddr.isValid(host)) return isPublicIp(host)
  return host.includes('.') && !PRIVATE_NAMES.test(host)
}

/** The range of all globally routed IPv6 addresses. It includes tunnel, test and documentation ranges. */
const GLOBAL_6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Checks whether an IP address is global unicast: not private, loopback, link-local, carrier-grade NAT,
 * multicast, reserved or documentation, and not an IPv6 form that embeds an IPv4 address (mapped, compatible,
 * NAT64, 6to4, Teredo).
 */
export function isPublicIp(ip: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(ip)) return ipaddr.IPv4.parse(ip).range() === 'unicast'
  // A zone ("%eth0") names a network interface of this machine.
  if (ip.includes('%') || !ipaddr.IPv6.isValid(ip)) return false
  const address = ipaddr.IPv6.parse(ip)
  return address.match(GLOBAL_6) && address.range() === 'unicast'
}
