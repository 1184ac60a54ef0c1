import { type AccountCaller, sourceOf } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { findStoredJob } from '../jobs/find-stored-job.ts'
import type { StoredJob } from '../jobs/queries.ts'
import { commit } from '../platform/database/commit.ts'
import { ApiError, toError } from '../platform/errors/api-error.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { isoTime } from '../platform/iso-time.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import { hashLinkToken, makeLinkToken } from '../upload-links/link-token.ts'
import type { Bot } from './bots.ts'
import { findRoundVideo } from './find-round-video.ts'
import { forgetLinksStatement, insertLinkStatement } from './queries.ts'

const LINK_LIVES_MS = DAY_MS
/** How long an expired link is reported as expired rather than unknown. */
const LINK_REMEMBERED_MS = 30 * DAY_MS

interface DeliverRequest {
  job_id: string
  bot_id?: number | undefined
}

/**
 * Handles POST /tg/deliver: creates a link that opens a chat with a bot, which then sends the round video once.
 * Throws 404 for an unknown job or bot, 409 if the job is not a finished round video, and 503 if no bot is
 * configured.
 */
export async function createDeliveryLink(
  deps: Deps,
  caller: AccountCaller,
  { job_id, bot_id }: DeliverRequest,
  record: RecordAnswer,
) {
  const bot = pickBot(deps, bot_id)
  const job = await findStoredJob(deps, job_id)
  if (job === undefined || job.accountId !== caller.account.id) throw new ApiError('job_not_found')
  requireRoundVideo(job)
  const now = deps.clock.now()
  const token = makeLinkToken()
  const link = {
    tokenHash: hashLinkToken(token),
    botId: bot.id,
    accountId: caller.account.id,
    jobId: job.id,
    source: sourceOf(caller),
    createdAt: now,
    expiresAt: Math.min(now + LINK_LIVES_MS, job.expiresAt ?? Number.POSITIVE_INFINITY),
  }
  const answer = {
    link: `https://t.me/${bot.username}?start=${token}`,
    bot_username: bot.username,
    expires_at: isoTime(link.expiresAt),
  }
  await commit(deps.db, [
    insertLinkStatement(deps.db, link),
    forgetLinksStatement(deps.db, now - LINK_REMEMBERED_MS),
    ...record(answer),
  ])
  return answer
}

function pickBot({ messenger }: Deps, bot_id: number | undefined): Bot {
  if (messenger === null) throw new ApiError('messenger_not_configured')
  const bot = messenger.bots.find(({ id }) => bot_id === undefined || id === bot_id)
  if (bot === undefined) throw new ApiError('bot_not_found')
  return bot
}

/** Throws 409 if the job is not a finished round video that a bot can send. */
function requireRoundVideo(job: StoredJob): void {
  if (job.serviceSlug !== 'video' || job.operationKey !== 'circle') {
    throw new ApiError('not_deliverable', { reason: 'not_round' })
  }
  if (job.status !== 'done') throw new ApiError('job_not_done', { status: job.status })
  const found = findRoundVideo(job)
  if (found === null) throw new ApiError('result_expired')
  if ('refused' in found) throw toError(found.refused)
}
