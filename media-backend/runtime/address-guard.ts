import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPublicIp, isPublicWebAddress } from '../../shared/addresses.ts'

/** Decides where users' URLs may lead: checks first their text, then the addresses that their host resolves to. */
export interface AddressGuard {
  allowsUrl(url: URL): boolean
  /** For http.request: connects to the address that was checked, so DNS cannot change in between. */
  lookup: LookupFunction
}

const ADDRESS_NOT_PUBLIC = 'ADDRESS_NOT_PUBLIC'

/** The dependencies that tests replace; no test connects to a public address. */
interface Resolver {
  resolve: typeof lookup
  isAllowedIp(ip: string): boolean
  allowsUrl(url: URL): boolean
}

export function createAddressGuard({ resolve, isAllowedIp, allowsUrl }: Resolver): AddressGuard {
  return {
    allowsUrl,
    lookup(hostname, options, callback) {
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        if (error !== null) return callback(error, '')
        const [first] = addresses
        if (first === undefined || !addresses.every(({ address }) => isAllowedIp(address))) {
          const refused = new Error(`${hostname} is not a public address`)
          return callback(Object.assign(refused, { code: ADDRESS_NOT_PUBLIC }), '')
        }
        return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family)
      })
    },
  }
}

const PUBLIC_ONLY = createAddressGuard({
  resolve: lookup,
  isAllowedIp: isPublicIp,
  // Node calls `lookup` only for names, so IP addresses in URLs are checked here.
  allowsUrl: isPublicWebAddress,
})
const OPEN: AddressGuard = { allowsUrl: () => true, lookup }

/**
 * Returns the guard for users' URLs.
 * @param allow_private true for tests that fetch from this machine.
 */
export function guardOf(allow_private: boolean): AddressGuard {
  return allow_private ? OPEN : PUBLIC_ONLY
}

export function isRefusedAddress(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === ADDRESS_NOT_PUBLIC
}
