import { useEffect, useRef } from 'preact/hooks'
import type { DrawnVideo } from './draw-waveform.ts'
import styles from './timeline.module.css'

/**
 * The audio of a video and the position of its player, on a timeline. The handles over it are our own, because the
 * regions of wavesurfer.js have no labels and no keys.
 */
export function Waveform({ file, video, length_seconds }: DrawnVideo) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const container = ref.current
    if (container === null) return
    const stop = new AbortController()
    import('./draw-waveform.ts')
      .then(({ drawWaveform }) => drawWaveform(container, { file, video, length_seconds }, stop.signal))
      // The timeline works without it.
      .catch(() => undefined)
    return () => stop.abort()
  }, [file, video, length_seconds])
  return <div ref={ref} class={styles.waveform} inert />
}
