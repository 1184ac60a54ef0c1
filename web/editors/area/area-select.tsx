import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type PercentCrop, ReactCrop } from 'react-image-crop'
import 'react-image-crop/dist/ReactCrop.css'
import { defineTexts } from '../../text/define-texts.ts'
import { formatNumber } from '../../text/format.ts'
import styles from './area-select.module.css'
import { type Area, areaOf, type Size } from './geometry.ts'

const texts = defineTexts({
  en: {
    cropArea: 'Selected area',
    nDragHandle: 'Top edge',
    eDragHandle: 'Right edge',
    sDragHandle: 'Bottom edge',
    wDragHandle: 'Left edge',
    nwDragHandle: 'Top left corner',
    neDragHandle: 'Top right corner',
    swDragHandle: 'Bottom left corner',
    seDragHandle: 'Bottom right corner',
    value: (left: string, top: string, size: string) =>
      `${left} px from the left, ${top} px from the top, ${size} px`,
  },
  uk: {
    cropArea: 'Вибрана область',
    nDragHandle: 'Верхній край',
    eDragHandle: 'Правий край',
    sDragHandle: 'Нижній край',
    wDragHandle: 'Лівий край',
    nwDragHandle: 'Верхній лівий кут',
    neDragHandle: 'Верхній правий кут',
    swDragHandle: 'Нижній лівий кут',
    seDragHandle: 'Нижній правий кут',
    value: (left: string, top: string, size: string) =>
      `${left} пікс. зліва, ${top} пікс. згори, ${size} пікс.`,
  },
  ru: {
    cropArea: 'Выбранная область',
    nDragHandle: 'Верхний край',
    eDragHandle: 'Правый край',
    sDragHandle: 'Нижний край',
    wDragHandle: 'Левый край',
    nwDragHandle: 'Верхний левый угол',
    neDragHandle: 'Верхний правый угол',
    swDragHandle: 'Нижний левый угол',
    seDragHandle: 'Нижний правый угол',
    value: (left: string, top: string, size: string) =>
      `${left} пикс. слева, ${top} пикс. сверху, ${size} пикс.`,
  },
})

interface AreaSelectProps {
  /** Selected area, in pixels of the picture. */
  area: Area
  /** Size of the picture. */
  size: Size
  /** Width to height; undefined for any. */
  aspect?: number | undefined
  /** Smallest width and height, in pixels of the picture. */
  min?: number
  isCircle?: boolean
  isMovedOnly?: boolean
  onChange: (area: Area) => void
}

/**
 * A selection over a picture, by react-image-crop: Cropper.js 2 cannot be operated by keyboard. The selection and its
 * handles move by dragging and by the arrow keys, by one pixel of the picture, with Shift by ten, with Ctrl by a hundred.
 */
export function AreaSelect(props: AreaSelectProps) {
  const { area, size, aspect, min = 1, isCircle, isMovedOnly, onChange } = props
  const t = texts()
  const frame = useRef<HTMLDivElement>(null)
  const scale = useScale(frame, size)
  const percent: PercentCrop = {
    unit: '%',
    x: (area.left / size.width) * 100,
    y: (area.top / size.height) * 100,
    width: (area.width / size.width) * 100,
    height: (area.height / size.height) * 100,
  }
  return (
    <div ref={frame} class={styles.frame}>
      <ReactCrop
        className={styles.select}
        crop={percent}
        onChange={(_, next) => onChange(areaOf(next, size))}
        ariaLabels={t}
        aspect={aspect}
        minWidth={min * scale}
        minHeight={min * scale}
        circularCrop={isCircle}
        locked={isMovedOnly}
        keepSelection
      >
        <div class={styles.frame} />
      </ReactCrop>
      <output class="visually-hidden">
        {t.value(
          formatNumber(area.left),
          formatNumber(area.top),
          `${formatNumber(area.width)} × ${formatNumber(area.height)}`,
        )}
      </output>
    </div>
  )
}

/** Measures how large a pixel of the picture is on the screen, and makes it the step of the keys. */
function useScale(frame: { current: HTMLElement | null }, { width }: Size): number {
  const [scale, setScale] = useState(1)
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return
    const measure = () => setScale(element.getBoundingClientRect().width / width || 1)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [width])
  useLayoutEffect(() => {
    ReactCrop.nudgeStep = scale
    ReactCrop.nudgeStepMedium = 10 * scale
    ReactCrop.nudgeStepLarge = 100 * scale
  }, [scale])
  return scale
}
