import { beforeAll, describe, expect, test } from 'vitest'
import { makeLimitedWorld } from '../../test/edge/worker/limited-world.ts'
import { buy, holdRefunds, order } from '../../test/edge/worker/payments.ts'
import { ledgerOf, type Person, register } from '../../test/edge/worker/people.ts'
import {
  askRefund,
  DAILY,
  passDays,
  quoteOf,
  refund,
  refundsOf,
  settleRefund,
  spend,
} from '../../test/edge/worker/refunds.ts'
import { listPackage } from '../../test/edge/worker/shop.ts'
import { makeWorld } from '../../test/edge/worker/world.ts'
import type { Settings } from '../rules/settings.ts'

// Letters are looked at elsewhere.
const world = makeWorld({ SMTP_HOST: undefined })

/** 500 credits for 1,000 cents. */
let pack: { id: number }
beforeAll(async () => {
  await holdRefunds(true)
  pack = await listPackage(world, { price_cents: 1000 })
})

/** The same shop under other settings. */
const makeShop = (settings: Partial<Settings>) =>
  makeLimitedWorld(
    { requests_per_minute_free: 1_000_000, requests_per_day_free: 100_000_000, ...settings },
    { SMTP_HOST: undefined },
  )

async function buyPack(): Promise<{ person: Person; id: string }> {
  const person = await register(world)
  return { person, id: await buy(world, person, { package_id: pack.id }) }
}

describe('Purchase rule 9: refusals are 409 with a code, and change nothing', () => {
  const used = async () => {
    const bought = await buyPack()
    await spend(world, bought.person, DAILY + 500)
    return bought
  }
  const refunded = async () => {
    const bought = await buyPack()
    await refund(world, bought.person, bought.id)
    await settleRefund(world, bought.id, 'approved')
    return bought
  }
  const open = async () => {
    const bought = await buyPack()
    await refund(world, bought.person, bought.id)
    return bought
  }
  const old = async () => {
    const bought = await buyPack()
    await passDays(world, bought.person, 31)
    return bought
  }
  const unpaid = async () => {
    const person = await register(world)
    return { person, id: await order(world, person, { package_id: pack.id }) }
  }

  test.each([
    ['nothing_left', used],
    ['window_closed', old],
    ['already_open', open],
    ['fully_refunded', refunded],
    ['not_settled', unpaid],
    ['refunds_disabled', buyPack],
  ])('%s', async (code, prepare) => {
    const { person, id } = await prepare()
    const shop = code === 'refunds_disabled' ? await makeShop({ refunds_enabled: false }) : world
    const [before, requests] = [await ledgerOf(world, person), await refundsOf(world, person)]
    const { status, json } = await askRefund(shop, person, id)
    expect([status, json.detail]).toEqual([409, { code, message: expect.stringMatching(/\w+ \w+/) }])
    expect(await ledgerOf(world, person)).toEqual(before)
    expect(await refundsOf(world, person)).toEqual(requests)
    const { blocked, eligible } = await quoteOf(shop, person, id)
    expect([blocked, eligible]).toEqual([code === 'refunds_disabled' ? '' : code, false])
  })
})
