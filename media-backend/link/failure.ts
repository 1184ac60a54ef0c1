import { failWith, JobFailure } from '../runtime/failure.ts'
import { errorText, log } from '../runtime/log.ts'
import type { ProcessResult } from '../runtime/process.ts'
import type { LinkProxy } from './proxy.ts'

/** Maps yt-dlp messages to reasons for users. The first match wins. */
const REASONS: readonly [RegExp, string][] = [
  [/Unsupported URL|No video (could be )?found|no video formats/i, 'no video was found there'],
  [/DRM/i, 'the video is protected (DRM)'],
  [
    /log ?in|sign in|members.only|private video|cookies|password/i,
    'the video is not public: it requires a login',
  ],
  [/your country|geo.?restrict/i, 'the site does not provide the video in the country of this server'],
  [/HTTP Error 404|unavailable|removed|does not exist|not found/i, 'the video does not exist or was removed'],
  [
    /HTTP Error 429|too many requests|not a bot/i,
    'the site refuses requests from this server at present; try again later',
  ],
  [/timed out|Connection|resolve|HTTP Error 5/i, 'the site did not respond; try again later'],
]

export function linkRefused(sentence: string): JobFailure {
  return new JobFailure('parameter_refused', `url: ${sentence}.`)
}

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
  if (proxy.refused.size > 0) return failed('it does not lead to a public address')
  return failed(REASONS.find(([pattern]) => pattern.test(stderr))?.[1] ?? 'the site could not be read')
}

export function failed(why: string): JobFailure {
  return new JobFailure('download_failed', `The link could not be downloaded: ${why}.`)
}
