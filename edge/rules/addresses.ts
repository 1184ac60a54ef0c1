import ipaddr from 'ipaddr.js'

/** Names that never belong to a public host. */
const PRIVATE_NAMES =
  /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|test|invalid|example|onion)$/

/** An address in its parts, as URL takes it apart. */
export interface WebAddress {
  protocol: string
  username: string
  password: string
  hostname: string
}

/**
 * Whether an address may be fetched for a caller as far as its text tells: http or https, no user name,
 * a public host, and no port of another protocol. Who fetches checks what the name resolves to.
 */
export function isPublicWebAddress(url: WebAddress): boolean {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false
  if (url.username !== '' || url.password !== '') return false
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (ipaddr.isValid(host)) return isPublicIp(host)
  return host.includes('.') && !PRIVATE_NAMES.test(host)
}

/** Global unicast alone: not private, loopback, link-local, carrier's, multicast, reserved or mapped to such. */
export function isPublicIp(ip: string): boolean {
  return ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'unicast'
}
