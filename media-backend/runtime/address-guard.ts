import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPublicIp, isPublicWebAddress } from '../../shared/addresses.ts'

/** Decides where user's addresses may lead: by their text first, then by what their host resolves to. */
export interface AddressGuard {
  allowsUrl(url: URL): boolean
  /** For http.request: what was checked is what is connected to, so that DNS can't change its mind. */
  lookup: LookupFunction
}

const ADDRESS_NOT_PUBLIC = 'ADDRESS_NOT_PUBLIC'

/** What tests replace: no test reaches for a real public address. */
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
  // Node asks `lookup` only for names: an address written as such is checked here.
  allowsUrl: isPublicWebAddress,
})
const OPEN: AddressGuard = { allowsUrl: () => true, lookup }

/** @param allow_private only where tests fetch from this machine. */
export function guardOf(allow_private: boolean): AddressGuard {
  return allow_private ? OPEN : PUBLIC_ONLY
}

export function isRefusedAddress(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === ADDRESS_NOT_PUBLIC
}
