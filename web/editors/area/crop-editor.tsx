import { useRef, useState } from 'preact/hooks'
import { CheckField } from '../../design/field.tsx'
import { defineTexts } from '../../text/define-texts.ts'
import { type EditorProps, numberIn, withValues } from '../editor-props.ts'
import { AreaSelect } from './area-select.tsx'
import { type Area, isSameArea, largestArea, type Size } from './geometry.ts'
import { Picture } from './picture.tsx'

const texts = defineTexts({
  en: { keep: 'Keep the aspect ratio' },
  uk: { keep: 'Зберігати пропорції' },
  ru: { keep: 'Сохранять пропорции' },
})

const SHARES: Readonly<Record<string, { x: number; y: number }>> = {
  center: { x: 0.5, y: 0.5 },
  top: { x: 0.5, y: 0 },
  bottom: { x: 0.5, y: 1 },
  left: { x: 0, y: 0.5 },
  right: { x: 1, y: 0.5 },
}
const FREE = 'free'

/**
 * Selects what a crop keeps. An aspect ratio selects the largest area; moving that, or one of its handles, selects
 * exactly these pixels. Sets `crop_aspect`, `left`, `top`, `width` and `height`.
 */
export default function CropEditor(props: EditorProps) {
  const { params, onChange } = props
  const [keepsAspect, setKeepsAspect] = useState(false)
  // The sides of an area are rounded, so its own ratio would change a little with every movement.
  const moved = useRef<{ area: Area; aspect: number } | null>(null)
  return (
    <div>
      <Picture {...props}>
        {(size) => {
          const area = selectedArea(props, size)
          const kept = moved.current
          const aspect = kept !== null && isSameArea(kept.area, area) ? kept.aspect : aspectOf(props, area)
          return (
            <AreaSelect
              area={area}
              size={size}
              aspect={keepsAspect ? aspect : undefined}
              onChange={(next) => {
                moved.current = keepsAspect ? { area: next, aspect } : null
                onChange(withValues(params, { crop_aspect: FREE, ...next }))
              }}
            />
          )
        }}
      </Picture>
      <CheckField
        label={texts().keep}
        checked={keepsAspect}
        onChange={({ currentTarget }) => setKeepsAspect(currentTarget.checked)}
      />
    </div>
  )
}

function textIn({ fields, params }: EditorProps, key: string): string {
  return String(params[key] ?? fields.find((field) => field.key === key)?.default)
}

/** Returns the width to height of the chosen ratio, such as 16:9, or of the area. */
function aspectOf(props: EditorProps, area: Area): number {
  const [across, down] = textIn(props, 'crop_aspect').split(':').map(Number)
  return across !== undefined && down !== undefined ? across / down : area.width / area.height
}

function selectedArea(props: EditorProps, size: Size): Area {
  const aspect = textIn(props, 'crop_aspect')
  if (aspect !== FREE) {
    const whole = { left: 0, top: 0, ...size }
    return largestArea(aspectOf(props, whole), size, SHARES[textIn(props, 'gravity')] ?? { x: 0.5, y: 0.5 })
  }
  const within = (key: string, min: number, max: number, fallback: number) =>
    Math.round(Math.min(Math.max(numberIn(props, key) ?? fallback, min), max))
  const left = within('left', 0, size.width - 1, 0)
  const top = within('top', 0, size.height - 1, 0)
  return {
    left,
    top,
    width: within('width', 1, size.width - left, size.width),
    height: within('height', 1, size.height - top, size.height),
  }
}
