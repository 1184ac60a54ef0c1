import { ZoomIn, ZoomOut } from 'lucide-preact'
import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { defineTexts } from '../text/define-texts.ts'
import { formatPercent } from '../text/format.ts'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import styles from './comparison.module.css'
import { SCROLLABLE } from './scrollable.ts'

const texts = defineTexts({
  en: {
    before: 'Before',
    after: 'After',
    divider: 'Divider between before and after',
    shown: (percent: string) => `${percent} of the width shows before`,
    zoomed: 'Image at actual size',
    actual: 'Actual size',
    fit: 'Fit',
  },
  uk: {
    before: 'До',
    after: 'Після',
    divider: 'Межа між «до» та «після»',
    shown: (percent: string) => `«До» займає ${percent} ширини`,
    zoomed: 'Зображення в реальному розмірі',
    actual: 'Реальний розмір',
    fit: 'Умістити',
  },
  ru: {
    before: 'До',
    after: 'После',
    divider: 'Граница между «до» и «после»',
    shown: (percent: string) => `«До» занимает ${percent} ширины`,
    zoomed: 'Изображение в реальном размере',
    actual: 'Реальный размер',
    fit: 'Уместить',
  },
})

interface ComparisonProps {
  /** An image or a video. Both are scaled to fit the same frame. */
  before: ComponentChildren
  after: ComponentChildren
  /** Size of the content in pixels. Its ratio reserves the space before the images load. */
  width: number
  height: number
  /** True to offer the actual size if the content is larger than the frame. */
  isZoomable?: boolean
}

/**
 * Two images on top of each other with a divider that the user drags or moves with the arrow keys. The control is a
 * range input over the whole frame, so that keyboards, touch screens and screen readers work as with any other. At
 * actual size, it is a strip at the bottom, because the image itself is dragged.
 */
export function Comparison({ before, after, width, height, isZoomable = false }: ComparisonProps) {
  const t = texts()
  const [position, setPosition] = useState(50)
  const [isZoomed, setZoomed] = useState(false)
  const { frame, viewport, isLarger } = useMeasures(width, isZoomed)
  const style = { '--position': position, '--ratio': width / height, aspectRatio: `${width} / ${height}` }
  return (
    <div class={styles.comparison}>
      <div ref={frame} class={classes(styles.frame, isZoomed && styles.zoomed)} style={style}>
        <div
          ref={viewport}
          class={styles.viewport}
          {...(isZoomed && { ...SCROLLABLE, ...DRAGGABLE, 'aria-label': t.zoomed })}
          onScroll={({ currentTarget: { scrollLeft } }) =>
            frame.current?.style.setProperty('--scrolled', `${scrollLeft}px`)
          }
        >
          <div class={styles.content} style={{ width: isZoomed ? `${width / devicePixelRatio}px` : '100%' }}>
            <div class={classes(styles.layer, styles.after)}>{after}</div>
            <div class={classes(styles.layer, styles.before)}>{before}</div>
          </div>
        </div>
        <span class={classes(styles.label, styles.left)} aria-hidden>
          {t.before}
        </span>
        <span class={classes(styles.label, styles.right)} aria-hidden>
          {t.after}
        </span>
        <Divider position={position} onChange={setPosition} />
      </div>
      {isZoomable && isLarger && (
        <Button look="plain" aria-pressed={isZoomed} onClick={() => setZoomed(!isZoomed)}>
          {isZoomed ? <ZoomOut size={18} aria-hidden /> : <ZoomIn size={18} aria-hidden />}
          {isZoomed ? t.fit : t.actual}
        </Button>
      )}
    </div>
  )
}

function Divider({ position, onChange }: { position: number; onChange: (position: number) => void }) {
  const t = texts()
  return (
    <>
      <input
        class={styles.range}
        type="range"
        min={0}
        max={100}
        step="any"
        value={position}
        aria-label={t.divider}
        aria-valuetext={t.shown(formatPercent(position / 100))}
        onInput={({ currentTarget }) => onChange(currentTarget.valueAsNumber)}
        onKeyDown={(event) => {
          // Browsers move a range without steps by too little.
          const change = { ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5 }[event.key]
          if (change === undefined) return
          event.preventDefault()
          onChange(Math.min(100, Math.max(0, position + change)))
        }}
      />
      <span class={styles.divider} aria-hidden />
    </>
  )
}

/** Finds out whether the content is larger than its frame, and shows its center when it is zoomed. */
function useMeasures(width: number, isZoomed: boolean) {
  const frame = useRef<HTMLDivElement>(null)
  const viewport = useRef<HTMLDivElement>(null)
  const [isLarger, setLarger] = useState(false)
  useLayoutEffect(() => {
    if (frame.current === null) return
    const observer = new ResizeObserver(([entry]) =>
      setLarger(width / devicePixelRatio > (entry?.contentRect.width ?? width) + 1),
    )
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [width])
  useLayoutEffect(() => {
    const { current } = viewport
    if (current === null) return
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = current
    current.scrollTo((scrollWidth - clientWidth) / 2, (scrollHeight - clientHeight) / 2)
  }, [isZoomed])
  return { frame, viewport, isLarger }
}

/** Scrolls by dragging with a mouse, as fingers do anyway. */
const DRAGGABLE: JSX.HTMLAttributes<HTMLDivElement> = {
  onPointerDown: ({ pointerType, pointerId, currentTarget }) => {
    if (pointerType === 'mouse') currentTarget.setPointerCapture(pointerId)
  },
  onPointerMove: ({ pointerId, currentTarget, movementX, movementY }) => {
    if (currentTarget.hasPointerCapture(pointerId)) currentTarget.scrollBy(-movementX, -movementY)
  },
}
