import { ZoomIn, ZoomOut } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { IconButton } from '../../design/button.tsx'
import { defineTexts } from '../../text/define-texts.ts'
import { formatClock, formatNumber } from '../../text/format.ts'
import { timeOf } from './frames.ts'
import styles from './timeline.module.css'
import { zoomMax } from './zoom.ts'

const texts = defineTexts({
  en: {
    at: (clock: string, frame: string) => `${clock}, frame ${frame}`,
    zoom_in: 'Zoom in on the timeline',
    zoom_out: 'Zoom out of the timeline',
  },
  uk: {
    at: (clock: string, frame: string) => `${clock}, кадр ${frame}`,
    zoom_in: 'Збільшити шкалу часу',
    zoom_out: 'Зменшити шкалу часу',
  },
  ru: {
    at: (clock: string, frame: string) => `${clock}, кадр ${frame}`,
    zoom_in: 'Увеличить шкалу времени',
    zoom_out: 'Уменьшить шкалу времени',
  },
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
 * one second, Home and End to the ends. Long ones can be zoomed and scrolled.
 */
export function Timeline({ total, rate, handles, children }: TimelineProps) {
  const t = texts()
  const bar = useRef<HTMLDivElement>(null)
  const [zoom, setZoom] = useState(1)
  const largest = zoomMax(total)
  useEffect(() => {
    // All of a timeline that is not zoomed is visible, and a page must not scroll as it opens.
    if (zoom > 1) scrollToHandle(bar.current)
  }, [zoom])
  const frameUnder = (client_x: number) => {
    const { left = 0, width = 1 } = bar.current?.getBoundingClientRect() ?? {}
    return Math.round(Math.min(1, Math.max(0, (client_x - left) / width)) * total)
  }
  const places = handles.map(({ frame }) => (frame / total) * 100)
  const [from = 0, to = 100] = [Math.min(...places), Math.max(...places)]
  return (
    <div class={styles.whole}>
      <div class={styles.scroller}>
        <div class={styles.timeline} style={{ width: `calc(${zoom * 100}% - 1.5rem)` }}>
          <div
            class={styles.bar}
            onPointerUp={({ clientX }) => {
              const frame = frameUnder(clientX)
              const distance = (handle: Handle) => Math.abs(handle.frame - frame)
              handles.toSorted((one, other) => distance(one) - distance(other))[0]?.onMove(frame)
            }}
          >
            <div ref={bar} class={styles.frames}>
              {children}
              {handles.length > 1 && (
                <span class={styles.part} style={{ left: `${from}%`, right: `${100 - to}%` }} />
              )}
            </div>
          </div>
          {handles.map((handle) => (
            <TimelineHandle key={handle.label} {...{ handle, total, rate, frameUnder }} />
          ))}
        </div>
      </div>
      <div class={styles.zoom}>
        <IconButton label={t.zoom_out} disabled={zoom === 1} onClick={() => setZoom(zoom / 2)}>
          <ZoomOut size={18} aria-hidden />
        </IconButton>
        <IconButton label={t.zoom_in} disabled={zoom >= largest} onClick={() => setZoom(zoom * 2)}>
          <ZoomIn size={18} aria-hidden />
        </IconButton>
      </div>
    </div>
  )
}

/** Shows the first handle of a timeline after its zoom has changed. */
function scrollToHandle(bar: HTMLElement | null): void {
  const handle = bar?.parentElement?.parentElement?.querySelector('[role="slider"]')
  handle?.scrollIntoView({ inline: 'center', block: 'nearest' })
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
        const { currentTarget } = event
        requestAnimationFrame(() => currentTarget.scrollIntoView({ inline: 'nearest', block: 'nearest' }))
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
