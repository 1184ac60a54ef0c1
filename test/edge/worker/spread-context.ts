import { env as platform } from 'cloudflare:workers'
import type { Deps } from '../../../edge/deps.ts'
import { makeTestContext, type TestContext } from './context.ts'

/** A Worker whose accounts are spread over two databases. */
export interface SpreadContext extends TestContext {
  /** Dependencies for the home, and for the other database. */
  home: Deps
  other: Deps
}

export function makeSpreadContext(overrides: Record<string, unknown> = {}): SpreadContext {
  const { OTHER_DATABASE_URL: url } = platform as unknown as Record<string, string>
  const context = makeTestContext({ ACCOUNT_DATABASES: JSON.stringify([{ url }]), ...overrides })
  const { deps } = context
  const [home, other] = deps.databases
  if (other === undefined) throw new Error('There is only one database.')
  return Object.assign(context, { home: { ...deps, db: home }, other: { ...deps, db: other } })
}

/** The same Worker, for helpers that create rows in the database of `deps`. */
export function inDatabase(context: TestContext, deps: Deps): TestContext {
  return { ...context, deps, call: context.call }
}

/** A subscriber cannot move while product news of another test is not sent to all. */
export async function deleteProductNews({ home, other }: SpreadContext): Promise<void> {
  for (const { db } of [home, other]) await db.$client.execute('DELETE FROM product_news')
}
