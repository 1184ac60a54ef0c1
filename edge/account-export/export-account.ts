import { requireAuthorized } from '../accounts/authorized-work.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import { countUse, exportThrottle } from '../accounts/throttle.ts'
import type { Deps } from '../deps.ts'
import { isoTime } from '../platform/iso-time.ts'
import { type Cursor, readPage, type Section } from './section-queries.ts'
import { SECTIONS } from './sections.ts'

/**
 * Returns everything that is stored about the caller's account, as the chunks of a JSON document. Reads page by page,
 * so an account of any size needs little memory. Throws 401 for an ended session and 429 after too many exports.
 * Contract: Accounts, Data export.
 */
export async function exportAccount(deps: Deps, caller: SessionCaller): Promise<AsyncGenerator<string>> {
  await requireAuthorized(deps, caller)
  await countUse(deps, exportThrottle(caller.account.id))
  return writeDocument(deps, caller.account.id)
}

async function* writeDocument(deps: Deps, accountId: number): AsyncGenerator<string> {
  yield `{"exported_at":${JSON.stringify(isoTime(deps.clock.now()))}`
  for (const section of SECTIONS) {
    yield `,\n${JSON.stringify(section.name)}:[`
    yield* writeRows(deps, section, accountId)
    yield ']'
  }
  yield '}\n'
}

async function* writeRows(deps: Deps, section: Section, accountId: number): AsyncGenerator<string> {
  const { database = 'db', isArchived = false } = section
  const databases = { db: deps[database], archive: isArchived ? deps.archive : null }
  let separator = ''
  let after: Cursor | undefined
  for (;;) {
    const { rows, next } = await readPage(databases, section, accountId, after)
    if (next === undefined) return
    yield rows
      .map((row) => {
        const text = `${separator}\n${JSON.stringify(row)}`
        separator = ','
        return text
      })
      .join('')
    after = next
  }
}
