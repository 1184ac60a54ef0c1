import { useState } from 'preact/hooks'
import type { MediaKind } from './media-kind.ts'
import styles from './preview.module.css'
import { NotShown, type ResultMedia } from './preview.tsx'

interface ViewerProps {
  kind: MediaKind
  url: string
  media: ResultMedia
}

const PLAYER = { controls: true, preload: 'metadata' } as const

/** Shows or plays one file, or says that the browser cannot. */
export function Viewer({ kind, url, media }: ViewerProps) {
  const [isRefused, setRefused] = useState(false)
  if (isRefused || kind === 'other' || kind === 'text') return <NotShown side="after" />
  const onError = () => setRefused(true)
  const { width, height, filename } = media
  if (kind === 'audio') {
    return <audio class={styles.audio} src={url} {...PLAYER} aria-label={filename} onError={onError} />
  }
  const size = width !== null && height !== null ? { style: { aspectRatio: `${width} / ${height}` } } : {}
  if (kind === 'image')
    return <img class={styles.image} src={url} alt={filename} {...size} onError={onError} />
  return (
    <video
      class={styles.video}
      {...size}
      src={url}
      {...PLAYER}
      playsInline
      aria-label={filename}
      onError={onError}
    />
  )
}
