import type { MediaProbe } from '../facts.ts'
import type { EncodeMode } from '../operation.ts'
import { NEVER_EMPTY } from '../sound/in-step.ts'
import { monoToStereo } from '../sound/stereo.ts'
import { canCopyAudio, type VideoContainer } from './containers.ts'
import { defaultSound } from './encoders.ts'

/** Options behind `-c copy`: they encode the audio where the container can't hold one of its tracks. */
export function writeCopiedAudio(
  probe: Pick<MediaProbe, 'container' | 'audio'>,
  container: VideoContainer,
): { options: string[]; encode_mode: EncodeMode } {
  const { audio } = probe
  if (canCopyAudio(probe, container)) return { options: [], encode_mode: 'remux' }
  const filters = audio.flatMap(({ channels }, position) => [
    `-filter:a:${position}`,
    [...monoToStereo(channels), NEVER_EMPTY].join(','),
  ])
  return { options: [...defaultSound(container), ...filters], encode_mode: 'video_copy' }
}
