import { z } from 'zod'
import type { TestSystem } from '../system/start-test-system.ts'
import { type Account, openAccount } from './accounts.ts'
import { call, openOrder } from './checkout.ts'
import { submit, upload } from './jobs.ts'
import { openSandbox } from './payment-sandbox.ts'

/** An account that signed up, and what it did. */
export interface Customer extends Account {
  /** Orders that the provider was paid for. */
  orders: string[]
}

export interface Traffic {
  customers: Customer[]
  refused: number
  stop(): Promise<void>
}

const Packs = z.array(z.looseObject({ id: z.int() }))

/**
 * Lets one customer after the other sign up, submit a job and pay an order, of which every other one is not reported to
 * the service, until it is stopped. Requests may fail while a database is down.
 */
export function startTraffic(system: TestSystem, image: string): Traffic {
  const traffic = { customers: [] as Customer[], refused: 0 }
  let is_stopped = false
  const run = async () => {
    while (!is_stopped) await serveCustomer(system, image, traffic).catch(() => traffic.refused++)
  }
  const running = run()
  return Object.assign(traffic, {
    stop: () => {
      is_stopped = true
      return running
    },
  })
}

async function serveCustomer(system: TestSystem, image: string, { customers }: Pick<Traffic, 'customers'>) {
  const customer: Customer = { ...(await openAccount(system.api_url)), orders: [] }
  customers.push(customer)
  const { client } = customer
  await submit(client, 'image/convert', await upload(client, image), { format: 'webp' })
  const [pack] = await call(client, 'GET', '/api/v1/billing/packages', Packs)
  const { order_id } = await openOrder(client, { package_id: pack?.id, provider: 'sandbox_card' })
  // Before it is paid: the answer can be lost.
  customer.orders.push(order_id)
  await openSandbox(system).act(order_id, 'pay', customers.length % 2 === 0 ? 'once' : 'never')
}
