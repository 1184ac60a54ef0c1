import type { AudioTrack } from '../planning/facts.ts'

/** Returns the audio track that players choose, if any: the default track, or else the first one. */
export function playedAudio(audio: readonly AudioTrack[]): AudioTrack[] {
  const named = audio.filter(({ is_default }) => is_default)
  return (named.length > 0 ? named : audio).slice(0, 1)
}
