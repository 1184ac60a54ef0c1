import { childrenOf, OWNED_TABLES } from '../table-owners.ts'
import { stagingOf } from './staging.ts'

/** The part of a large account that is in the target before the account is active there. */
export interface Arrival {
  /** The id of the move that hides it in the target. */
  move_id: string
  /** The first id of the block that the target began before. The source may begin a later one. */
  first_id: number
}

/**
 * Rows that may be in the target before the account is active there: large tables, of which no task or lookup without
 * the account uses these rows. Few of them change later.
 */
const HISTORY: Readonly<Record<string, (arrival: Arrival, account: number) => string>> = {
  jobs: () => `status IN ('done', 'failed', 'canceled')`,
  // The target would number its rows after a higher id, in a block of another database.
  ledger: isNumberedBefore,
  allocations: (arrival, account) =>
    `sequence NOT IN (SELECT sequence FROM "${stagingOf(account, 'ledger')}" WHERE NOT (${isNumberedBefore(arrival)}))`,
  // The target would also sum later ones a second time.
  usage_events: isNumberedBefore,
  webhook_deliveries: () => `status <> 'pending'`,
}

function isNumberedBefore({ first_id }: Arrival): string {
  return `id < ${first_id}`
}

/** Their rows are never changed or deleted, which triggers of the database ensure. */
const APPEND_ONLY: readonly string[] = ['ledger', 'allocations']

export const isHistory = (name: string) => name in HISTORY || childOf(name) !== undefined

/** Whether rows that have arrived can change in the source. */
export const isChangeable = (name: string) => isHistory(name) && !APPEND_ONLY.includes(name)

/** In an order in which each row is inserted after those that it belongs to. */
export const HISTORY_TABLES = OWNED_TABLES.filter(({ name }) => isHistory(name))

/** A table whose rows are history if those that they belong to are. */
function childOf(name: string): { parent: string; column: string } | undefined {
  return ['jobs', 'webhook_deliveries']
    .flatMap((parent) => childrenOf(parent).map(({ child, column }) => ({ parent, child, column })))
    .find(({ child }) => child.name === name)
}

/** Returns which staged rows of a table can arrive, as a condition. */
export function historyOf(account: number, arrival: Arrival, name: string): string {
  const belongs = childOf(name)
  if (belongs === undefined) return HISTORY[name]?.(arrival, account) ?? '0'
  const { parent, column } = belongs
  const history = historyOf(account, arrival, parent)
  return `"${column}" NOT IN (SELECT id FROM "${stagingOf(account, parent)}" WHERE NOT (${history}))`
}
