import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import {
  listPriceStatement,
  nextId,
  packageStatement,
  readPackages,
  type StoredPackage,
} from '../offers/change-queries.ts'
import type { Badge } from '../offers/rules/prices.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { isoTime } from '../platform/iso-time.ts'
import { administer } from './audit.ts'

interface PackageFields {
  name: string
  credits: number
  price_cents: number
  badge: Badge | null
}
type PackageChange = { [Name in keyof PackageFields]?: PackageFields[Name] | undefined }

/** Lists all packs, including retired ones. */
export async function listAllPackages(deps: Deps) {
  return (await readPackages(deps.db)).map(viewPackage)
}

export function createPackage(deps: Deps, caller: SessionCaller, asked: PackageFields) {
  return administer(deps, caller, {
    load: () => nextId(deps.db, 'packages'),
    decide: (id, now) => {
      const { price_cents: priceCents, ...fields } = asked
      const pack = { ...fields, id, priceCents, currency: 'USD', retiredAt: null }
      const after = viewPackage(pack)
      return {
        statements: [packageStatement(deps.db, pack), listPrice(deps, pack, now)],
        entries: [{ action: 'package.create', target: `package:${id}`, before: null, after }],
        answer: after,
      }
    },
  })
}

/** Changes a pack. Throws 404. */
export function changePackage(
  deps: Deps,
  caller: SessionCaller,
  id: number,
  change: PackageChange & { retired?: true | undefined },
) {
  return administer(deps, caller, {
    load: () => readPackages(deps.db),
    decide: (packages, now) => {
      const stored = packages.find((pack) => pack.id === id)
      if (stored === undefined) throw new ApiError('package_not_found')
      const pack = {
        ...stored,
        name: change.name ?? stored.name,
        credits: change.credits ?? stored.credits,
        priceCents: change.price_cents ?? stored.priceCents,
        badge: change.badge === undefined ? stored.badge : change.badge,
        retiredAt: stored.retiredAt ?? (change.retired ? now : null),
      }
      const [before, after] = [viewPackage(stored), viewPackage(pack)]
      const isSame = JSON.stringify(before) === JSON.stringify(after)
      return {
        statements: [
          packageStatement(deps.db, pack),
          ...(pack.priceCents === stored.priceCents ? [] : [listPrice(deps, pack, now)]),
        ],
        entries: isSame ? [] : [{ action: 'package.change', target: `package:${id}`, before, after }],
        answer: after,
      }
    },
  })
}

function listPrice(deps: Deps, { id, priceCents }: StoredPackage, now: number) {
  return listPriceStatement(deps.db, { kind: 'package', id, price_cents: priceCents }, now)
}

function viewPackage(pack: StoredPackage) {
  return {
    id: pack.id,
    name: pack.name,
    credits: pack.credits,
    price_cents: pack.priceCents,
    currency: 'USD' as const,
    badge: pack.badge,
    retired_at: isoTime(pack.retiredAt),
  }
}
