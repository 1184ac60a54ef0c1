import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { defineTexts } from '../../text/define-texts.ts'
import { formatClock, formatNumber } from '../../text/format.ts'
import { timeOf } from './frames.ts'
import styles from './timeline.module.css'

const texts = defineTexts({
  en: { at: (clock: string, frame: string) => `${clock}, frame ${frame}` },
  uk: { at: (clock: string, frame: string) => `${clock}, кадр ${frame}` },
  ru: { at: (clock: string, frame: string) => `${clock}, кадр ${frame}` },
})

/** A point that the user moves along a timeline, in frames. */
export interface Handle {
  label: string
  frame: number
  /** Side of the selected part on which it lies. */
  side: 'start' | 'end' | 'middle'
  onMove: (frame: number) => void
}

interface TimelineProps {
  total: number
  rate: number
  handles: readonly Handle[]
  children?: ComponentChildren
}

/**
 * A timeline whose handles move by dragging, by clicking, and by keys: arrows by one frame, Page Up and Page Down by
 * one second, Home and End to the ends.
 */
export function Timeline({ total, rate, handles, children }: TimelineProps) {
  const bar = useRef<HTMLDivElement>(null)
  const frameUnder = (client_x: number) => {
    const { left = 0, width = 1 } = bar.current?.getBoundingClientRect() ?? {}
    return Math.round(Math.min(1, Math.max(0, (client_x - left) / width)) * total)
  }
  const places = handles.map(({ frame }) => (frame / total) * 100)
  const [from = 0, to = 100] = [Math.min(...places), Math.max(...places)]
  return (
    <div class={styles.timeline}>
      <div
        ref={bar}
        class={styles.bar}
        onPointerDown={({ clientX }) => {
          const frame = frameUnder(clientX)
          const distance = (handle: Handle) => Math.abs(handle.frame - frame)
          handles.toSorted((one, other) => distance(one) - distance(other))[0]?.onMove(frame)
        }}
      >
        {children}
        {handles.length > 1 && (
          <span class={styles.part} style={{ left: `${from}%`, right: `${100 - to}%` }} />
        )}
      </div>
      {handles.map((handle) => (
        <TimelineHandle key={handle.label} {...{ handle, total, rate, frameUnder }} />
      ))}
    </div>
  )
}

interface HandleProps extends Pick<TimelineProps, 'total' | 'rate'> {
  handle: Handle
  frameUnder: (client_x: number) => number
}

function TimelineHandle({ handle, total, rate, frameUnder }: HandleProps) {
  const { label, frame, side, onMove } = handle
  const second = Math.max(1, Math.round(rate))
  const steps: Record<string, number> = {
    ...{ ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 },
    ...{ PageDown: -second, PageUp: second, Home: -total, End: total },
  }
  const clock = formatClock(timeOf(frame, rate), { milliseconds: true })
  return (
    <span
      role="slider"
      tabIndex={0}
      class={styles.handle}
      data-side={side}
      style={{ left: `${(frame / total) * 100}%` }}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={frame}
      aria-valuetext={texts().at(clock, formatNumber(frame))}
      onKeyDown={(event) => {
        const step = steps[event.key]
        if (step === undefined) return
        event.preventDefault()
        onMove(Math.min(total, Math.max(0, frame + step)))
      }}
      onPointerDown={(event) => {
        event.stopPropagation()
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) onMove(frameUnder(event.clientX))
      }}
    />
  )
}
