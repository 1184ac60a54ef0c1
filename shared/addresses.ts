import ipaddr from 'ipaddr.js'

/**
 * Which addresses may be fetched for a caller: one definition for the edge, which sees their text, and for
 * the fleet, which sees what names resolve to.
 */

/** Names that never belong to a public host. */
const PRIVATE_NAMES =
  /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home|home\.arpa|corp|private|test|invalid|example|onion)$/

/** An address in its parts, as URL takes it apart. */
export interface WebAddress {
  protocol: string
  username: string
  password: string
  hostname: string
  /** '' where it is the protocol's own. */
  port: string
}

/** Below this number ports belong to other protocols: mail, shells, name servers. */
const FREE_PORTS_FROM = 1024
const PORT_MAX = 65_535

/** Whether the web may be spoken at this port; '' is the protocol's own. */
export function isWebPort(port: string | number): boolean {
  const number = Number(port)
  return port === '' || number === 80 || number === 443 || (number >= FREE_PORTS_FROM && number <= PORT_MAX)
}

/** The host of a URL without the brackets of an IPv6 address and the dots at a name's end. */
export function hostOf(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
}

/**
 * Whether an address may be fetched for a caller as far as its text tells: http or https, no user name,
 * a public host, and no port of another protocol. Who fetches checks what the name resolves to.
 */
export function isPublicWebAddress(url: WebAddress): boolean {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false
  if (url.username !== '' || url.password !== '' || !isWebPort(url.port)) return false
  return isPublicHost(url.hostname)
}

/** A name that may be public, or an address that is. */
export function isPublicHost(hostname: string): boolean {
  const host = hostOf(hostname)
  if (ipaddr.isValid(host)) return isPublicIp(host)
  return host.includes('.') && !PRIVATE_NAMES.test(host)
}

/** Everything that is routed on the internet in IPv6, and within it the tunnels, tests and documentation. */
const GLOBAL_6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Global unicast alone: not private, loopback, link-local, carrier's, multicast, reserved or documentation,
 * and no IPv6 form that leads to an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo).
 */
export function isPublicIp(ip: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(ip)) return ipaddr.IPv4.parse(ip).range() === 'unicast'
  // A zone ("%eth0") names an interface of this machine.
  if (ip.includes('%') || !ipaddr.IPv6.isValid(ip)) return false
  const address = ipaddr.IPv6.parse(ip)
  return address.match(GLOBAL_6) && address.range() === 'unicast'
}
