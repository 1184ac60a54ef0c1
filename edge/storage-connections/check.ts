import { requireAuthorized } from '../accounts/authorized-work.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { readBeginning } from '../platform/http/read-beginning.ts'
import { judgePublicAddress } from '../platform/public-address.ts'
import { requireConnection } from './find.ts'
import { type ConnectionProblem, judgeCheck, PROBLEM_MESSAGES } from './rules/check-answer.ts'
import { signListing } from './sign.ts'

const TIMEOUT_MS = 10_000
const SIGNED_SECONDS = 60
/** S3 errors have only a few hundred bytes. */
const BODY_BYTES_MAX = 4096

/**
 * Checks a connection by listing up to one object, and returns the problem, if any. Throws 404. Contract: Storage
 * connections, Check.
 */
export async function checkConnection(deps: Deps, caller: SessionCaller, name: string) {
  await requireAuthorized(deps, caller)
  const connection = await requireConnection(deps, caller.account.id, name)
  const verdict = await judgePublicAddress(deps, connection.endpoint)
  if (verdict !== 'safe') return view(verdict === 'unsafe' ? 'not_public' : 'unreachable', null)
  const url = await signListing(deps, connection, SIGNED_SECONDS)
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    const body = await readBeginning(response, { bytes_max: BODY_BYTES_MAX, timeout_ms: TIMEOUT_MS })
    return view(judgeCheck(response.status, body ?? ''), response.status)
  } catch {
    return view('unreachable', null)
  }
}

function view(problem: ConnectionProblem | null, status: number | null) {
  const message = problem === null ? null : PROBLEM_MESSAGES[problem]
  return { ok: problem === null, problem, message, status }
}
