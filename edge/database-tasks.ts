import { DurableObject } from 'cloudflare:workers'
import { parseEnv } from './env.ts'
import { openDeps } from './open-deps.ts'
import { atDatabase } from './platform/database/find-place.ts'
import { runTasks } from './scheduled.ts'

/**
 * Runs the scheduled tasks of one database in an invocation of its own, because an invocation may send only a limited
 * number of requests.
 */
export class DatabaseTasks extends DurableObject {
  async run(number: number): Promise<void> {
    const deps = openDeps(parseEnv(this.env as object), this.ctx)
    const db = deps.databases[number]
    if (db === undefined) throw new Error(`there is no database ${number}`)
    await runTasks(atDatabase(deps, db))
  }
}
