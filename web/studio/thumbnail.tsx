import { Film, Image, Link } from 'lucide-preact'
import { useEffect, useState } from 'preact/hooks'
import styles from './thumbnail.module.css'
import type { WorkItem } from './workspace/items.ts'

const ICONS = { video: Film, image: Image, link: Link }

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
  const Icon = ICONS[item.kind]
  const onError = () => setUrl(null)
  return (
    <span class={styles.frame}>
      {url === null && <Icon size={22} aria-hidden />}
      {url !== null && item.kind === 'image' && <img src={url} alt="" loading="lazy" onError={onError} />}
      {url !== null && item.kind === 'video' && (
        <video src={`${url}#t=0.1`} preload="metadata" muted playsInline tabIndex={-1} onError={onError} />
      )}
    </span>
  )
}
