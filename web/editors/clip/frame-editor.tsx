import { useEffect, useState } from 'preact/hooks'
import { defineTexts } from '../../text/define-texts.ts'
import { formatClock } from '../../text/format.ts'
import { type EditorProps, numberIn, withValues } from '../editor-props.ts'
import styles from './clip-editor.module.css'
import { ClipStage } from './clip-stage.tsx'
import { frameAt, middleOf, timeOf } from './frames.ts'
import { Timeline } from './timeline.tsx'
import type { VideoFacts } from './use-video.ts'

const texts = defineTexts({
  en: {
    frame: 'Frame',
    automatic: 'The service chooses the frame. Move the handle to choose it yourself.',
    chosen: (clock: string) => `Frame at ${clock}`,
  },
  uk: {
    frame: 'Кадр',
    automatic: 'Кадр вибере сервіс. Пересуньте позначку, щоб вибрати його самостійно.',
    chosen: (clock: string) => `Кадр на ${clock}`,
  },
  ru: {
    frame: 'Кадр',
    automatic: 'Кадр выберет сервис. Передвиньте метку, чтобы выбрать его самостоятельно.',
    chosen: (clock: string) => `Кадр на ${clock}`,
  },
})

/** Picks one frame of a video. Sets `at`. */
export default function FrameEditor(props: EditorProps) {
  return (
    <ClipStage file={props.file} height="9.5rem">
      {(video, facts) => <FrameTimeline {...props} video={video} facts={facts} />}
    </ClipStage>
  )
}

function FrameTimeline(props: EditorProps & { video: HTMLVideoElement | null; facts: VideoFacts }) {
  const t = texts()
  const { video, facts, params, onChange } = props
  const { rate, length_seconds } = facts
  const last = Math.max(1, Math.round(length_seconds * rate) - 1)
  const at = numberIn(props, 'at')
  const [shown, setShown] = useState(frameAt(at ?? 0, rate))
  const frame = at === null ? shown : Math.min(last, frameAt(at, rate))
  useEffect(() => {
    if (video !== null) video.currentTime = middleOf(frame, rate)
  }, [video, frame, rate])
  const onMove = (next: number) => {
    setShown(next)
    // A search for the best frame near it would choose another one.
    const smart = params.smart === true ? { smart: null } : {}
    onChange(withValues(params, { at: timeOf(next, rate), ...smart }))
  }
  return (
    <>
      <Timeline total={last} rate={rate} handles={[{ label: t.frame, frame, side: 'middle', onMove }]} />
      <p class={styles.length}>
        {at === null ? t.automatic : t.chosen(formatClock(at, { milliseconds: true }))}
      </p>
    </>
  )
}
