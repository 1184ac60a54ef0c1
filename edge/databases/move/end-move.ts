import { isLostRace } from '../../platform/database/commit.ts'
import { removeHistory } from './arrive.ts'
import { takeOver, unfreeze } from './freeze.ts'
import { type CommandRoute, guardCommand, isActive } from './route.ts'
import { dropStaging, guardStaging, takeStaging } from './staging.ts'
import { dropTriggers } from './triggers.ts'

/**
 * Ends the move of a command that failed, so that the account goes on in the source, unless its copy is active. Commits of
 * the command that still arrive are refused: the one that activates the copy can be among them.
 * @returns the command that completes the move if the copy is active; null if the move has ended
 */
export async function abandonMove(
  route: CommandRoute,
  move_id: string,
  to: number,
): Promise<CommandRoute | null> {
  const next = { ...route, command: crypto.randomUUID() }
  await takeOver(next, [guardCommand(route)]).catch(async (error: unknown) => {
    // Another command is responsible for the account, but possibly not for this copy.
    if (isLostRace(error)) await dropStaging(route)
    throw error
  })
  await takeStaging(next, [guardStaging(route)]).catch(async () => {
    // An earlier command can have taken the copy late. It is refused in the source, but a later one is not disturbed.
    await next.source.batch([guardCommand(next)], 'write')
    await takeStaging(next)
  })
  return (await endMove(next, move_id, to)) ? null : next
}

/**
 * Ends a move whose copy is not active. The command must be the last one in both databases.
 * @returns false if the copy is active
 */
export async function endMove(route: CommandRoute, move_id: string, to: number): Promise<boolean> {
  if (await isActive(route, move_id)) return false
  const { account, source, target } = route
  await unfreeze(route)
  await removeHistory(route, to)
  await dropStaging(route)
  await source.batch(
    [
      guardCommand(route),
      { sql: 'DELETE FROM account_changes WHERE account_id = ?', args: [account] },
      { sql: 'DELETE FROM account_moves WHERE account_id = ?', args: [account] },
    ],
    'write',
  )
  for (const client of [source, target]) await dropTriggers(client)
  return true
}
