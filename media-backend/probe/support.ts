import type { Facts } from '../../shared/planning/facts.ts'
import { failWith, JobFailure } from '../runtime/failure.ts'
import type { Run } from '../runtime/run.ts'
import { codecTitle, findUndecodable, hasTitle, PCM_IN_MP4 } from './codecs.ts'
import type { Stream } from './ffprobe.ts'
import { misreadsPcm } from './pcm-samples.ts'
import { KEY_TAG, protectedFailure } from './protection.ts'
import { isPlayed } from './timing/declared-times.ts'

/**
 * Refuses a file whose content cannot be decoded here.
 * @param video the stream that plays as the video, if any.
 * @returns the indices of played streams without a decoder.
 * @throws JobFailure input_unreadable
 */
export async function requireSupported(
  streams: readonly Stream[],
  video: Stream | undefined,
  path: string,
  run: Run,
): Promise<ReadonlySet<number>> {
  if (streams.some(({ tags }) => KEY_TAG in tags)) throw protectedFailure()
  const played = streams.filter(isPlayed)
  const undecodable = await findUndecodable(played, run)
  if (await misreadsPcm(streams, path, run)) throw unsupported('audio', PCM_IN_MP4)
  if (video !== undefined && isDolbyVisionOnly(video))
    throw unsupported('video', 'Dolby Vision without a base layer')
  if (video !== undefined && undecodable.has(video.index)) throw unsupported('video', codecTitle(video))
  const named = played.length === 0 ? streams.find(hasTitle) : undefined
  if (named !== undefined) throw unsupported('file', codecTitle(named))
  return undecodable
}

/** Names the codec if a step failed on a file that has an audio track without a decoder. */
export function explainFailure(error: unknown, { probe }: Partial<Pick<Facts, 'probe'>>): unknown {
  const title = probe?.audio.find((track) => track.unsupported !== undefined)?.unsupported
  const is_unclear = error instanceof JobFailure && error.error_code === 'processing_failed'
  return is_unclear && title !== undefined ? failWith('unsupported_codec', { what: 'audio', title }) : error
}

function unsupported(what: string, title: string | null): JobFailure {
  return title === null ? failWith('media_unreadable') : failWith('unsupported_codec', { what, title })
}

/** Profiles that have no base layer for other players. Their colors require Dolby Vision. */
const DOLBY_PROFILES = [5, 10]

function isDolbyVisionOnly({ side_data_list }: Stream): boolean {
  return side_data_list.some(
    ({ dv_profile = 0, dv_bl_signal_compatibility_id: base }) =>
      DOLBY_PROFILES.includes(dv_profile) && base === 0,
  )
}
