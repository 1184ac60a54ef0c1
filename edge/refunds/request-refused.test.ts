import { describe, expect, test } from 'vitest'
import { order } from '../../test/edge/worker/payments.ts'
import { ledgerOf, register } from '../../test/edge/worker/people.ts'
import { openRefundDesk } from '../../test/edge/worker/refund-desk.ts'
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

const { buyPack, makeShop, sold, testContext } = openRefundDesk()

describe('Purchase rule 9: refusals are 409 with a code, and change nothing', () => {
  const used = async () => {
    const bought = await buyPack()
    await spend(testContext, bought.person, DAILY + 500)
    return bought
  }
  const refunded = async () => {
    const bought = await buyPack()
    await refund(testContext, bought.person, bought.id)
    await settleRefund(testContext, bought.id, 'approved')
    return bought
  }
  const open = async () => {
    const bought = await buyPack()
    await refund(testContext, bought.person, bought.id)
    return bought
  }
  const old = async () => {
    const bought = await buyPack()
    await passDays(testContext, bought.person, 31)
    return bought
  }
  const unpaid = async () => {
    const person = await register(testContext)
    return { person, id: await order(testContext, person, { package_id: sold.pack.id }) }
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
    const shop = code === 'refunds_disabled' ? await makeShop({ refunds_enabled: false }) : testContext
    const [before, requests] = [await ledgerOf(testContext, person), await refundsOf(testContext, person)]
    const { status, json } = await askRefund(shop, person, id)
    expect([status, json.code]).toEqual([409, code])
    expect(json.detail).toEqual({ code, message: expect.any(String) })
    expect(await ledgerOf(testContext, person)).toEqual(before)
    expect(await refundsOf(testContext, person)).toEqual(requests)
    const { blocked, eligible } = await quoteOf(shop, person, id)
    // The statutory right stays.
    const isDisabled = code === 'refunds_disabled'
    expect([blocked, eligible]).toEqual([isDisabled ? '' : code, isDisabled])
  })
})
