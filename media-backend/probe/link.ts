import { type LinkInfo, readLinkInfo, refuseLink } from '../../shared/links/info.ts'
import type { LinkFacts } from '../../shared/planning/facts.ts'
import type { LinkRequest } from '../../shared/planning/operation.ts'
import { SOURCE } from '../../shared/planning/steps.ts'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import type { Environment } from '../environment.ts'
import { failed, linkFailure } from '../link/failure.ts'
import { fetchMedia } from '../link/media.ts'
import { type LinkProxy, startProxy } from '../link/proxy.ts'
import { infoArguments, runYtDlp } from '../link/yt-dlp.ts'
import { failWith, JobFailure } from '../runtime/failure.ts'
import { fileIn } from '../runtime/folder.ts'
import { readStages } from '../runtime/read-stages.ts'
import type { Run } from '../runtime/run.ts'
import { importUrl } from '../storage/import/import-url.ts'

const THUMBNAIL_WAIT_SECONDS_MAX = 2
const THUMBNAILS_TRIED = 5

/**
 * Reads a link with yt-dlp and downloads what the operation needs, as SOURCE.
 * @throws JobFailure if the link is refused (Contract: Link operations) or unavailable.
 */
export async function fetchLink(
  dispatch: Dispatch,
  run: Run,
  reportProgress: (fraction: number) => void,
): Promise<LinkFacts> {
  const [{ operation, params }] = readStages(dispatch)
  const request = operation.link?.(params)
  if (request === undefined || dispatch.source.kind !== 'link') throw new Error('the job has no link')
  const { MEDIA_FETCH_ENABLED, ALLOW_PRIVATE_SOURCES, INPUT_BYTES_MAX, IMPORT_SECONDS_MAX } = run.environment
  if (request.media !== null && !MEDIA_FETCH_ENABLED) {
    throw failWith('link_disabled', { operation_key: operation.key })
  }
  const proxy = await startProxy({ allow_private: ALLOW_PRIVATE_SOURCES, bytes_max: INPUT_BYTES_MAX })
  const limit = AbortSignal.timeout(IMPORT_SECONDS_MAX * 1000)
  const limited = { ...run, signal: AbortSignal.any([run.signal, limit]) }
  try {
    return await readLink(request, dispatch, limited, proxy, reportProgress)
  } catch (error) {
    run.signal.throwIfAborted()
    if (limit.aborted) throw failed('too_long')
    throw error
  } finally {
    await proxy.close()
  }
}

async function readLink(
  request: LinkRequest,
  dispatch: Dispatch,
  run: Run,
  proxy: LinkProxy,
  reportProgress: (fraction: number) => void,
): Promise<LinkFacts> {
  const { source } = dispatch
  const url = 'url' in source ? source.url : ''
  const result = await runYtDlp(infoArguments(url, request.comments_max), run, proxy)
  const answer = result.code === 0 ? parseAnswer(result.stdout) : null
  if (answer === null) throw linkFailure(result, proxy)
  const info = readLinkInfo(answer)
  const refusal = refuseLink(answer, info)
  if (refusal !== null) throw failWith(refusal)
  const facts = { info, fetched_at: new Date().toISOString(), media: null }
  if (request.media === null) return facts
  if (request.media === 'thumbnail') {
    await fetchThumbnail(info, run)
    return facts
  }
  checkLinkLength(info.duration ?? 0, request, dispatch, run.environment)
  const media = await fetchMedia(request, answer, info, run, proxy, reportProgress)
  checkLinkLength(media.duration_seconds, request, dispatch, run.environment)
  return { ...facts, media }
}

function parseAnswer(text: string): Record<string, unknown> | null {
  try {
    const answer: unknown = JSON.parse(text)
    return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Downloads the largest thumbnail that exists, because sites list some that do not. */
async function fetchThumbnail({ thumbnails }: LinkInfo, run: Run): Promise<void> {
  const best_first = thumbnails.toReversed().slice(0, THUMBNAILS_TRIED)
  // While one fails, the next one is likely to exist.
  const hasty = {
    ...run,
    environment: { ...run.environment, IMPORT_WAIT_SECONDS_MAX: THUMBNAIL_WAIT_SECONDS_MAX },
  }
  for (const { url } of best_first) {
    const found = await importUrl(url, fileIn(run.folder, SOURCE), hasty).then(
      () => true,
      (error: unknown) => {
        if (error instanceof JobFailure) return false
        throw error
      },
    )
    if (found) return
  }
  throw failWith('link_without_thumbnail')
}

/**
 * Refuses a link whose video exceeds the length limit for links or for the tier.
 * Contract: Link operations, Link length.
 */
function checkLinkLength(
  seconds: number,
  { processes }: LinkRequest,
  { max_input_seconds, tier }: Dispatch,
  { MAX_DURATION_SEC, MEDIA_MAX_DURATION_SEC }: Environment,
): void {
  const most = processes ? MAX_DURATION_SEC : MEDIA_MAX_DURATION_SEC
  const limit_seconds = Math.min(most, max_input_seconds)
  if (seconds <= limit_seconds) return
  const limited_by = max_input_seconds < most ? 'tier' : processes ? 'processing' : 'download'
  throw failWith('link_too_long', { seconds: Math.ceil(seconds), limit_seconds, limited_by, tier })
}
