import ipaddr from 'ipaddr.js'

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

function isWebPort(port: string): boolean {
  return port === '' || port === '80' || port === '443' || Number(port) >= FREE_PORTS_FROM
}

/**
 * Whether an address may be fetched for a caller as far as its text tells: http or https, no user name,
 * a public host, and no port of another protocol. Who fetches checks what the name resolves to.
 */
export function isPublicWebAddress(url: WebAddress): boolean {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false
  if (url.username !== '' || url.password !== '' || !isWebPort(url.port)) return false
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
  if (ipaddr.isValid(host)) return isPublicIp(host)
  return host.includes('.') && !PRIVATE_NAMES.test(host)
}

/** The old way to carry an IPv4 address in IPv6, which the library takes for unicast. */
const IPV4_COMPATIBLE: [ipaddr.IPv6, number] = ipaddr.IPv6.parseCIDR('::/96')

/** Global unicast alone: not private, loopback, link-local, carrier's, multicast, reserved or mapped to such. */
export function isPublicIp(ip: string): boolean {
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv6 && address.match(IPV4_COMPATIBLE)) return false
  return address.range() === 'unicast'
}
