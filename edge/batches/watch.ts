import type { Deps } from '../deps.ts'
import { SharedWatch } from '../platform/shared-watch.ts'
import { listOpenBatches } from './queries.ts'

const watch = new SharedWatch(readOpen)

async function readOpen({ db }: Deps, ids: string[]): Promise<Map<string, boolean>> {
  const open = new Set((await listOpenBatches(db, ids)).map(({ id }) => id))
  return new Map(ids.map((id) => [id, open.has(id)]))
}

/** Checks whether a batch has ended. All watchers in the isolate share the cost. */
export async function hasBatchEnded(deps: Deps, id: string, pause_ms: number): Promise<boolean> {
  return !(await watch.look(deps, id, true, pause_ms))
}
