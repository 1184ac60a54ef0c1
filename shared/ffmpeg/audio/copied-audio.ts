import type { MediaProbe } from '../../planning/facts.ts'
import type { EncodeMode } from '../../planning/operation.ts'
import { canCopyAudio, type VideoContainer } from '../output/containers.ts'
import { defaultAudioEncoder } from '../output/encoders.ts'
import { toStereo } from './stereo.ts'
import { NEVER_EMPTY } from './sync.ts'

/**
 * Returns options to append to `-c copy`. They encode the audio if the container does not support one of its
 * codecs.
 */
export function writeCopiedAudio(
  probe: Pick<MediaProbe, 'container' | 'audio'>,
  container: VideoContainer,
): { options: string[]; encode_mode: EncodeMode } {
  const { audio } = probe
  if (canCopyAudio(probe, container)) return { options: [], encode_mode: 'remux' }
  const filters = audio.flatMap(({ channels }, position) => [
    `-filter:a:${position}`,
    [...toStereo(channels), NEVER_EMPTY].join(','),
  ])
  return { options: [...defaultAudioEncoder(container), ...filters], encode_mode: 'video_copy' }
}
