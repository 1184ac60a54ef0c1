import { useEffect, useState } from 'preact/hooks'
import { KindIcon } from './kind-icon.tsx'
import styles from './thumbnail.module.css'
import type { WorkItem } from './workspace/items.ts'

/** Small picture of an input; an icon if the browser cannot show it. */
export function Thumbnail({ item }: { item: WorkItem }) {
  const file = item.file.value
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (file === null) return
    const created = URL.createObjectURL(file)
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [file])
  const onError = () => setUrl(null)
  return (
    <span class={styles.frame}>
      {url === null && <KindIcon kind={item.kind} size={22} />}
      {url !== null && item.kind === 'image' && <img src={url} alt="" loading="lazy" onError={onError} />}
      {url !== null && item.kind === 'video' && (
        <video src={`${url}#t=0.1`} preload="metadata" muted playsInline tabIndex={-1} onError={onError} />
      )}
    </span>
  )
}
