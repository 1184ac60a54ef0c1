import { useEffect, useState } from 'preact/hooks'
import { Comparison } from '../design/comparison.tsx'
import { Skeleton } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { isolate } from '../text/isolate.ts'
import { haveSameShape } from './media-kind.ts'
import { Pair } from './pair.tsx'
import styles from './preview.module.css'
import { NotShown, type ResultMedia } from './preview.tsx'
import type { InputMeasures } from './result-facts.ts'
import type { Source } from './use-source.ts'
import { Viewer } from './viewer.tsx'

const texts = defineTexts({
  en: { before: (name: string) => `${name}, before` },
  uk: { before: (name: string) => `${name}, до обробки` },
  ru: { before: (name: string) => `${name}, до обработки` },
})

interface ImagePairProps {
  media: ResultMedia
  source: Source
  onMeasure: (measures: InputMeasures) => void
}

/** An image before and after: with a boundary between them, or side by side if their shapes differ. */
export function ImagePair({ media, source, onMeasure }: ImagePairProps) {
  const t = texts()
  const before = useImageSize(source.url)
  const [isRefused, setRefused] = useState(false)
  useEffect(() => {
    if (before !== null && before !== 'refused') onMeasure(before)
  }, [before, onMeasure])
  const { width, height } = media
  if (before === null) return <Skeleton height="16rem" />
  if (before === 'refused') {
    return (
      <>
        <Viewer kind="image" url={media.url} media={media} />
        <NotShown side="before" />
      </>
    )
  }
  const beforeImage = <img class={styles.image} src={source.url} alt={t.before(isolate(media.filename))} />
  if (isRefused) {
    return (
      <>
        {beforeImage}
        <NotShown side="after" />
      </>
    )
  }
  const afterImage = (
    <img class={styles.image} src={media.url} alt={media.filename} onError={() => setRefused(true)} />
  )
  if (width === null || height === null || !haveSameShape(before, { width, height })) {
    return <Pair before={beforeImage} after={afterImage} />
  }
  return (
    <div class={styles.bounded} style={{ '--ratio': width / height }}>
      <Comparison before={beforeImage} after={afterImage} width={width} height={height} isZoomable />
    </div>
  )
}

/** Measures an image. Returns null until then, and "refused" if the browser cannot show it. */
function useImageSize(url: string): { width: number; height: number } | 'refused' | null {
  const [size, setSize] = useState<{ width: number; height: number } | 'refused' | null>(null)
  useEffect(() => {
    const image = new Image()
    image.onload = () => setSize({ width: image.naturalWidth, height: image.naturalHeight })
    image.onerror = () => setSize('refused')
    image.src = url
    return () => {
      image.onload = null
      image.onerror = null
    }
  }, [url])
  return size
}
