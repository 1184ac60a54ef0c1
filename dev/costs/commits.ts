import { buildSubmit } from '../../bench/submit-statements.ts'
import type { Database } from '../../edge/platform/database/client.ts'
import { Client } from '../client.ts'
import { addCredits } from '../system/add-credits.ts'

const WRITERS = 16
const SECONDS = 10

/**
 * Returns how many submits the database commits per second, with the reads that come before each. Accounts do not wait
 * for each other, as in production. The fleet must be stopped, because the jobs exist only as rows.
 */
export async function measureCommits(db: Database, api_url: string): Promise<number> {
  const accounts = []
  for (let writer = 0; writer < WRITERS; writer++) accounts.push(await openAccount(db, api_url, writer))
  const until = performance.now() + SECONDS * 1000
  let commits = 0
  const write = async (account_id: number) => {
    while (performance.now() < until) {
      const { statements } = await buildSubmit(db, account_id)
      await db.$client.batch(statements, 'write')
      commits += 1
    }
  }
  await Promise.all(accounts.map(write))
  await db.$client.execute("UPDATE jobs SET status = 'canceled' WHERE status = 'queued'")
  await db.$client.execute("DELETE FROM outbox WHERE kind = 'dispatch'")
  return commits / SECONDS
}

async function openAccount(db: Database, api_url: string, writer: number): Promise<number> {
  const client = new Client(api_url)
  await client.register({ email: `writer-${writer}@localhost.test`, password: 'a password for commits' })
  return (await addCredits(db, client)).account_id
}
