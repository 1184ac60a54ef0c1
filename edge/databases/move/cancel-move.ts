import type { Database } from '../../platform/database/client.ts'
import { endMove } from './end-move.ts'
import { takeOver } from './freeze.ts'
import { guardMove } from './leave.ts'
import { isActive } from './route.ts'
import { takeStaging } from './staging.ts'
import { dropTriggers } from './triggers.ts'

/**
 * Ends the move of an account that has not arrived. Commits of a command that still moves it are refused.
 * @returns false if the account does not move
 * @throws Error if its copy is active, so that the move has to be completed
 */
export async function cancelMove(
  databases: readonly [home: Database, ...others: Database[]],
  account: number,
): Promise<boolean> {
  const move = await findMove(databases, account)
  if (move === null) {
    // A command that was killed at its end left them.
    for (const { $client } of databases) await dropTriggers($client)
    return false
  }
  const { source, target, move_id, has_left } = move
  const arrived = new Error(
    `Account ${account} is in database ${target.$number} already. Complete its move: npm run ops -- move-account ${account} --to ${target.$number}`,
  )
  const command = crypto.randomUUID()
  const route = { account, source: source.$client, target: target.$client, command }
  if (has_left || (await isActive(route, move_id))) throw arrived
  // A move that began after this one was found is not ended.
  await takeOver(route, [guardMove(account, move_id)])
  await takeStaging(route)
  // The other command can have activated the copy before that.
  if (!(await endMove(route, move_id, target.$number))) throw arrived
  return true
}

async function findMove(databases: readonly Database[], account: number) {
  for (const source of databases) {
    const { rows } = await source.$client.execute({
      // In the target, there can be a part of the account.
      sql: 'SELECT move_id, target, state FROM account_moves WHERE account_id = ? AND target <> ?',
      args: [account, source.$number],
    })
    const [row] = rows
    const target = databases[Number(row?.target)]
    if (target !== undefined)
      return { source, target, move_id: String(row?.move_id), has_left: row?.state === 'left' }
  }
  return null
}
