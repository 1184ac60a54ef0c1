import { Pause, Play } from 'lucide-preact'
import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../design/button.tsx'
import { defineTexts } from '../../text/define-texts.ts'
import { formatClock, formatCount, formatNumber } from '../../text/format.ts'
import { type EditorProps, numberIn, withValues } from '../editor-props.ts'
import styles from './clip-editor.module.css'
import { ClipStage } from './clip-stage.tsx'
import {
  type Clip,
  type ClipLimits,
  clipParams,
  frameAt,
  middleOf,
  moveEnd,
  moveFirst,
  timeOf,
} from './frames.ts'
import { Timeline } from './timeline.tsx'
import { usePlayer } from './use-player.ts'
import type { VideoFacts } from './use-video.ts'
import { Waveform } from './waveform.tsx'

const texts = defineTexts({
  en: {
    start: 'Start of the clip',
    end: 'End of the clip',
    play: 'Play the clip',
    pause: 'Pause',
    keys: 'Arrow keys move a handle by one frame, Page Up and Page Down by one second.',
    copied: 'A clip from the very start is copied without loss, and may end a few frames later.',
    length: (clock: string, frames: number, rate: string) =>
      `${clock} · ${formatCount(frames, { one: '# frame', other: '# frames' })} at ${rate} fps`,
  },
  uk: {
    start: 'Початок фрагмента',
    end: 'Кінець фрагмента',
    play: 'Відтворити фрагмент',
    pause: 'Пауза',
    keys: 'Клавіші зі стрілками пересувають позначку на кадр, Page Up і Page Down — на секунду.',
    copied: 'Фрагмент від самого початку копіюється без втрат і може закінчитися на кілька кадрів пізніше.',
    length: (clock: string, frames: number, rate: string) =>
      `${clock} · кадрів: ${formatNumber(frames)}, ${rate} кадр/с`,
  },
  ru: {
    start: 'Начало фрагмента',
    end: 'Конец фрагмента',
    play: 'Воспроизвести фрагмент',
    pause: 'Пауза',
    keys: 'Клавиши со стрелками двигают метку на кадр, Page Up и Page Down — на секунду.',
    copied: 'Фрагмент от самого начала копируется без потерь и может закончиться на несколько кадров позже.',
    length: (clock: string, frames: number, rate: string) =>
      `${clock} · кадров: ${formatNumber(frames)}, ${rate} кадр/с`,
  },
})

/** Selects a part of a video on a timeline, exactly to the frame. Sets `start` and `duration`. */
export default function ClipEditor(props: EditorProps) {
  return (
    <ClipStage file={props.file} height="11.5rem">
      {(video, facts) => <ClipTimeline {...props} video={video} facts={facts} />}
    </ClipStage>
  )
}

interface ClipTimelineProps extends EditorProps {
  video: HTMLVideoElement | null
  facts: VideoFacts
}

function ClipTimeline(props: ClipTimelineProps) {
  const t = texts()
  const { file, fields, params, onChange, video, facts } = props
  const { rate, length_seconds } = facts
  const total = Math.max(1, Math.round(length_seconds * rate))
  const limits = limitsOf(props, total)
  const clip = clipOf(props, total)
  const hasDefaultEnd = fields.some(
    ({ key, default: value }) => key === 'duration' && typeof value === 'number',
  )
  const [shown, setShown] = useState(clip.first)
  const player = usePlayer(video, timeOf(clip.end, rate))

  useEffect(() => {
    if (video !== null) video.currentTime = middleOf(shown, rate)
  }, [video, shown, rate])
  const select = (next: Clip, frame: number) => {
    player.pause()
    setShown(Math.min(frame, total - 1))
    onChange(withValues(params, clipParams(next, rate, total, hasDefaultEnd)))
  }
  const setFirst = (frame: number) => {
    const next = moveFirst(clip, frame, limits)
    select(next, next.first)
  }
  const setEnd = (frame: number) => {
    const next = moveEnd(clip, frame, limits)
    // The last frame that the clip shows.
    select(next, next.end - 1)
  }
  // Only operations that cut without encoding have a choice of precision (Contract: Video operations, Trim).
  const isCopied = clip.first === 0 && clip.end < total && fields.some(({ key }) => key === 'precise')
  const clock = formatClock((clip.end - clip.first) / rate, { milliseconds: true })
  return (
    <>
      <Timeline
        {...{ total, rate }}
        handles={[
          { label: t.start, frame: clip.first, side: 'start', onMove: setFirst },
          { label: t.end, frame: clip.end, side: 'end', onMove: setEnd },
        ]}
      >
        {video !== null && <Waveform {...{ file, video, length_seconds }} />}
      </Timeline>
      <div class={styles.bar}>
        <Button
          onClick={() => (player.isPlaying ? player.pause() : player.playFrom(timeOf(clip.first, rate)))}
        >
          {player.isPlaying ? <Pause size={18} aria-hidden /> : <Play size={18} aria-hidden />}
          {player.isPlaying ? t.pause : t.play}
        </Button>
        <p class={styles.length}>
          {t.length(clock, clip.end - clip.first, formatNumber(rate))}
          <br />
          {t.keys}
          {isCopied && ` ${t.copied}`}
        </p>
      </div>
    </>
  )
}

function clipOf(props: ClipTimelineProps, total: number): Clip {
  const { rate } = props.facts
  const start = numberIn(props, 'start') ?? 0
  const first = Math.min(frameAt(start, rate), total - 1)
  const duration = numberIn(props, 'duration')
  const end = duration === null ? total : Math.round((start + duration) * rate)
  return { first, end: Math.min(total, Math.max(first + 1, end)) }
}

/** Returns the allowed lengths of a clip, in frames. */
function limitsOf({ fields, facts: { rate } }: ClipTimelineProps, total: number): ClipLimits {
  const { min, max } = fields.find(({ key }) => key === 'duration') ?? {}
  const shortest = Math.max(1, Math.ceil((min ?? 0) * rate - 0.01))
  const longest = max === null || max === undefined ? total : Math.floor(max * rate + 0.01)
  return { total, shortest, longest }
}
