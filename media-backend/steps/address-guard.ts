import { type LookupAddress, lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const PRIVATE_4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4'
/** Within the global unicast range: Teredo, 6to4 and other tunnels, benchmarks, documentation. */
const SPECIAL_6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20'

const refused_4 = blockList('ipv4', PRIVATE_4)
const refused_6 = blockList('ipv6', SPECIAL_6)
const global_6 = blockList('ipv6', '2000::/3')

/** True for an address that anyone on the internet reaches; mapped and tunnelled forms are not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !refused_4.check(address, 'ipv4')
  return family === 6 && global_6.check(address, 'ipv6') && !refused_6.check(address, 'ipv6')
}

/** A lookup for http.request: what was checked is what is connected to, so DNS can't change its mind. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error !== null) return callback(error, '')
    const [first] = addresses
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(new Error(`${hostname} is not a public address`), '')
    }
    return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family)
  })
}

function blockList(family: 'ipv4' | 'ipv6', ranges: string): BlockList {
  const list = new BlockList()
  for (const range of ranges.split(' ')) {
    const [network = '', prefix] = range.split('/')
    list.addSubnet(network, Number(prefix), family)
  }
  return list
}
