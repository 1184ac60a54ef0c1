import { setTimeout } from 'node:timers/promises'
import { changeStatements, loadCredits } from '../../edge/credits/queries.ts'
import { grant } from '../../edge/credits/rules/ledger.ts'
import { isAccountMoving } from '../../edge/platform/database/account-moving.ts'
import type { Database } from '../../edge/platform/database/client.ts'
import { commit } from '../../edge/platform/database/commit.ts'

const PAUSE_MS = 20

/** How long the commits of an account took. */
export interface Load {
  times_ms: number[]
  refused: number
  stop(): Promise<void>
}

/** Grants credits to an account again and again, one commit each, until it is stopped. */
export function startLoad(db: Database, account: number): Load {
  const load = { times_ms: [] as number[], refused: 0 }
  let is_stopped = false
  const run = async () => {
    while (!is_stopped) {
      const started_at = performance.now()
      try {
        const { credits } = await loadCredits(db, account)
        const cause = `load:${crypto.randomUUID()}`
        const change = grant(credits, { kind: 'adjust', amount: 1, expires_at: null, cause })
        await commit(db, changeStatements(db, account, change, Date.now()))
        load.times_ms.push(performance.now() - started_at)
      } catch (error) {
        if (!isAccountMoving(error)) throw error
        load.refused++
      }
      await setTimeout(PAUSE_MS)
    }
  }
  const running = run()
  // Thrown by `stop`.
  running.catch(() => undefined)
  return Object.assign(load, {
    stop: () => {
      is_stopped = true
      return running
    },
  })
}
