import { useRef } from 'preact/hooks'
import { classes } from '../../design/classes.ts'
import { defineTexts } from '../../text/define-texts.ts'
import { formatNumber } from '../../text/format.ts'
import styles from './area.module.css'
import { type Area, type AreaLimits, type Grip, moveArea, resizeArea } from './geometry.ts'

const texts = defineTexts({
  en: {
    area: 'Selected area',
    n: 'Top edge',
    e: 'Right edge',
    s: 'Bottom edge',
    w: 'Left edge',
    nw: 'Top left corner',
    ne: 'Top right corner',
    sw: 'Bottom left corner',
    se: 'Bottom right corner',
    value: (left: string, top: string, size: string) =>
      `${left} px from the left, ${top} px from the top, ${size} px`,
  },
  uk: {
    area: 'Вибрана область',
    n: 'Верхній край',
    e: 'Правий край',
    s: 'Нижній край',
    w: 'Лівий край',
    nw: 'Верхній лівий кут',
    ne: 'Верхній правий кут',
    sw: 'Нижній лівий кут',
    se: 'Нижній правий кут',
    value: (left: string, top: string, size: string) =>
      `${left} пікс. зліва, ${top} пікс. згори, ${size} пікс.`,
  },
  ru: {
    area: 'Выбранная область',
    n: 'Верхний край',
    e: 'Правый край',
    s: 'Нижний край',
    w: 'Левый край',
    nw: 'Верхний левый угол',
    ne: 'Верхний правый угол',
    sw: 'Нижний левый угол',
    se: 'Нижний правый угол',
    value: (left: string, top: string, size: string) =>
      `${left} пикс. слева, ${top} пикс. сверху, ${size} пикс.`,
  },
})

/** What one key press with Shift moves, in pixels. */
const LARGE_STEP = 10
const CORNERS: readonly Grip[] = ['nw', 'ne', 'sw', 'se']
const ALL_GRIPS: readonly Grip[] = [...CORNERS, 'n', 'e', 's', 'w']

interface AreaBoxProps {
  area: Area
  limits: AreaLimits
  shape?: 'rectangle' | 'circle'
  canResize?: boolean
  onChange: (area: Area) => void
}

/** An area over a picture. It and its handles move by dragging and by the arrow keys, with Shift in larger steps. */
export function AreaBox({ area, limits, shape = 'rectangle', canResize = true, onChange }: AreaBoxProps) {
  const t = texts()
  const { size, aspect } = limits
  const grips = canResize ? (aspect === null ? ALL_GRIPS : CORNERS) : []
  const percent = (part: number, whole: number) => `${(part / whole) * 100}%`
  const box = {
    left: percent(area.left, size.width),
    top: percent(area.top, size.height),
    width: percent(area.width, size.width),
    height: percent(area.height, size.height),
  }
  const value = t.value(
    formatNumber(area.left),
    formatNumber(area.top),
    `${formatNumber(area.width)} × ${formatNumber(area.height)}`,
  )
  const common = { area, size, onChange, valueText: value }
  return (
    <div class={styles.overlay}>
      <div class={styles.shades}>
        <div class={classes(styles.shade, shape === 'circle' && styles.circle)} style={box} />
      </div>
      <Draggable
        {...common}
        label={t.area}
        name={styles.area}
        style={box}
        now={area.left}
        max={size.width}
        change={(from, across, down) => moveArea(from, across, down, limits)}
      />
      {grips.map((grip) => (
        <Draggable
          key={grip}
          {...common}
          label={t[grip]}
          name={classes(styles.grip, styles[grip])}
          style={gripPlace(area, grip, percent, size)}
          {...gripValue(area, grip, size)}
          change={(from, across, down) => resizeArea(from, grip, across, down, limits)}
        />
      ))}
    </div>
  )
}

function gripPlace(
  area: Area,
  grip: Grip,
  percent: (part: number, whole: number) => string,
  size: AreaLimits['size'],
) {
  const x = grip.includes('w') ? 0 : grip.includes('e') ? 1 : 0.5
  const y = grip.includes('n') ? 0 : grip.includes('s') ? 1 : 0.5
  return {
    left: percent(area.left + area.width * x, size.width),
    top: percent(area.top + area.height * y, size.height),
  }
}

/** Edges report where they are; corners report the width. */
function gripValue({ left, top, width, height }: Area, grip: Grip, size: AreaLimits['size']) {
  if (grip === 'n') return { now: top, max: size.height }
  if (grip === 's') return { now: top + height, max: size.height }
  if (grip === 'w') return { now: left, max: size.width }
  return grip === 'e' ? { now: left + width, max: size.width } : { now: width, max: size.width }
}

interface DraggableProps {
  label: string
  name: string | undefined
  style: Record<string, string>
  now: number
  max: number
  valueText: string
  area: Area
  size: AreaLimits['size']
  /** Returns the area after a movement in pixels of the picture. */
  change: (from: Area, across: number, down: number) => Area
  onChange: (area: Area) => void
}

const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

function Draggable({
  label,
  name,
  style,
  now,
  max,
  valueText,
  area,
  size,
  change,
  onChange,
}: DraggableProps) {
  const drag = useRef<{ x: number; y: number; from: Area; scale: number } | null>(null)
  return (
    <span
      role="slider"
      tabIndex={0}
      class={name}
      style={style}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={now}
      aria-valuetext={valueText}
      onKeyDown={(event) => {
        const step = STEPS[event.key]
        if (step === undefined) return
        event.preventDefault()
        const scale = event.shiftKey ? LARGE_STEP : 1
        onChange(change(area, step[0] * scale, step[1] * scale))
      }}
      onPointerDown={({ currentTarget, pointerId, clientX: x, clientY: y }) => {
        const { width = 1 } = currentTarget.parentElement?.getBoundingClientRect() ?? {}
        drag.current = { x, y, from: area, scale: size.width / width }
        currentTarget.setPointerCapture(pointerId)
      }}
      onPointerMove={({ clientX, clientY }) => {
        if (drag.current === null) return
        const { x, y, from, scale } = drag.current
        onChange(change(from, (clientX - x) * scale, (clientY - y) * scale))
      }}
      onLostPointerCapture={() => {
        drag.current = null
      }}
    />
  )
}
