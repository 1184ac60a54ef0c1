import { useEffect, useRef, useState } from 'preact/hooks'
import { Pair } from './pair.tsx'
import styles from './preview.module.css'
import { NotShown, type ResultMedia } from './preview.tsx'
import type { InputMeasures } from './result-facts.ts'
import { syncPlayers } from './sync-players.ts'
import type { Source } from './use-source.ts'

type Side = 'before' | 'after'

interface VideoPairProps {
  media: ResultMedia
  source: Source
  offset_seconds: number
  onMeasure: (measures: InputMeasures) => void
}

/** A video before and after, which play, pause and seek together. Only the result is audible. */
export function VideoPair({ media, source, offset_seconds, onMeasure }: VideoPairProps) {
  const [refused, setRefused] = useState<readonly Side[]>([])
  const before = useRef<HTMLVideoElement>(null)
  const after = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (before.current === null || after.current === null) return
    return syncPlayers(before.current, after.current, offset_seconds)
  }, [refused, offset_seconds])
  const refuse = (side: Side) => setRefused((sides) => (sides.includes(side) ? sides : [...sides, side]))
  const player = (side: Side) => (
    <video
      ref={side === 'before' ? before : after}
      class={styles.video}
      src={side === 'before' ? source.url : media.url}
      muted={side === 'before'}
      controls
      playsInline
      preload="metadata"
      onError={() => refuse(side)}
      onLoadedMetadata={({ currentTarget: { videoWidth, videoHeight, duration } }) => {
        // The browser knows the container, but not the codec of the video.
        if (videoWidth === 0) refuse(side)
        else if (side === 'before') {
          onMeasure({ width: videoWidth, height: videoHeight, duration_seconds: duration })
        }
      }}
    />
  )
  if (refused.length === 0) return <Pair before={player('before')} after={player('after')} />
  return (
    <>
      {!refused.includes('after') && player('after')}
      {!refused.includes('before') && player('before')}
      <NotShown side={refused.includes('after') ? 'after' : 'before'} />
    </>
  )
}
