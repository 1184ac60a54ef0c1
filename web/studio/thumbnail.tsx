import { useEffect, useRef, useState } from 'preact/hooks'
import { KindIcon } from './kind-icon.tsx'
import styles from './thumbnail.module.css'
import type { WorkItem } from './workspace/items.ts'

/** Small picture of an input; an icon if the browser cannot show it. */
export function Thumbnail({ item }: { item: WorkItem }) {
  const file = item.file.value
  const [url, setUrl] = useState<string | null>(null)
  const frame = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (file === null) return
    const created = URL.createObjectURL(file)
    setUrl(created)
    return () => {
      // A load that is under way would fail when its URL is revoked.
      for (const image of frame.current?.querySelectorAll('img') ?? []) image.removeAttribute('src')
      for (const video of frame.current?.querySelectorAll('video') ?? []) {
        video.removeAttribute('src')
        video.load()
      }
      URL.revokeObjectURL(created)
    }
  }, [file])
  const onError = () => setUrl(null)
  return (
    <span class={styles.frame} ref={frame}>
      {url === null && <KindIcon kind={item.kind} size={22} />}
      {url !== null && item.kind === 'image' && <img src={url} alt="" loading="lazy" onError={onError} />}
      {url !== null && item.kind === 'video' && (
        <video src={`${url}#t=0.1`} preload="metadata" muted playsInline tabIndex={-1} onError={onError} />
      )}
    </span>
  )
}
