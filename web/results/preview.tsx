import { Notice } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { ImagePair } from './image-pair.tsx'
import { kindOfContent } from './media-kind.ts'
import styles from './preview.module.css'
import type { InputMeasures } from './result-facts.ts'
import { TextView } from './text-view.tsx'
import type { Source } from './use-source.ts'
import { VideoPair } from './video-pair.tsx'
import { Viewer } from './viewer.tsx'

const texts = defineTexts({
  en: {
    no_before: 'This browser cannot show the input, so only the result is shown.',
    no_after: 'This browser cannot show this kind of file. Download the result to see it.',
  },
  uk: {
    no_before: 'Браузер не може показати вхідний файл, тому показано лише результат.',
    no_after: 'Браузер не може показати файл такого типу. Завантажте результат, щоб переглянути його.',
  },
  ru: {
    no_before: 'Браузер не может показать исходный файл, поэтому показан только результат.',
    no_after: 'Браузер не может показать файл такого типа. Скачайте результат, чтобы посмотреть его.',
  },
})

/** A file of a result, with its size in pixels if it has one. */
export interface ResultMedia {
  url: string
  filename: string
  content_type: string
  size_bytes: number
  width: number | null
  height: number | null
}

interface PreviewProps {
  media: ResultMedia
  /** Null if this browser cannot read the input. */
  source: Source | null
  /** Seconds of the input before the result begins. */
  offset_seconds: number
  /** Receives what the browser has measured of the input. */
  onMeasure: (measures: InputMeasures) => void
}

/** Shows a file of a result, beside the input if both are images or videos. */
export function Preview({ media, source, offset_seconds, onMeasure }: PreviewProps) {
  const kind = kindOfContent(media.content_type)
  if (kind === 'text') return <TextView media={media} />
  if (kind === 'image' && source?.kind === 'image') {
    return <ImagePair {...{ media, source, onMeasure }} />
  }
  if (kind === 'video' && source?.kind === 'video') {
    return <VideoPair {...{ media, source, offset_seconds, onMeasure }} />
  }
  return <Viewer kind={kind} url={media.url} media={media} />
}

/** Says that the browser cannot show one side. */
export function NotShown({ side }: { side: 'before' | 'after' }) {
  return (
    <div class={styles.note}>
      <Notice>{side === 'before' ? texts().no_before : texts().no_after}</Notice>
    </div>
  )
}
