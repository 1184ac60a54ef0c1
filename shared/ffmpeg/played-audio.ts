import type { AudioTrack } from '../planning/facts.ts'

/** The track that players play, if any: the one that the file names, else its first. */
export function playedAudio(audio: readonly AudioTrack[]): AudioTrack[] {
  const named = audio.filter(({ is_default }) => is_default)
  return (named.length > 0 ? named : audio).slice(0, 1)
}
