import type { LinkFault } from '../../shared/failures/links.ts'
import { failWith, type JobFailure } from '../runtime/failure.ts'
import { errorText, log } from '../runtime/log.ts'
import type { ProcessResult } from '../runtime/process.ts'
import type { LinkProxy } from './proxy.ts'

/** Maps yt-dlp messages to reasons for users. The first match wins. */
const REASONS: readonly [RegExp, LinkFault][] = [
  [/Unsupported URL|No video (could be )?found|no video formats/i, 'no_video'],
  [/DRM/i, 'protected'],
  [/log ?in|sign in|members.only|private video|cookies|password/i, 'needs_login'],
  [/your country|geo.?restrict/i, 'country'],
  [/HTTP Error 404|unavailable|removed|does not exist|not found/i, 'gone'],
  [/HTTP Error 429|too many requests|not a bot/i, 'site_refuses'],
  [/timed out|Connection|resolve|HTTP Error 5/i, 'no_response'],
]

/** Classifies a failed yt-dlp run: the link, a limit, or the machine is at fault. Only machine errors are retried. */
export function linkFailure({ code, ended_by, stderr }: ProcessResult, proxy: LinkProxy): Error {
  if (proxy.exceeded() || ended_by === 'SIGXFSZ' || /File too large|max-filesize/i.test(stderr)) {
    return failWith('link_too_large')
  }
  // Exit code 2 means an unknown option.
  if (code === 2 || /No space left on device/.test(stderr) || (ended_by !== null && ended_by !== 'SIGXCPU')) {
    return new Error(`yt-dlp ended by ${ended_by ?? code}: ${stderr.slice(-500)}`)
  }
  log('link_failed', { code, refused: [...proxy.refused].join(' '), stderr: errorText(stderr.slice(-1000)) })
  if (proxy.refused.size > 0) return failed('not_public')
  return failed(REASONS.find(([pattern]) => pattern.test(stderr))?.[1] ?? 'unreadable')
}

export function failed(fault: LinkFault): JobFailure {
  return failWith('link_failed', { fault })
}
