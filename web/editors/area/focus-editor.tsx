import { type EditorProps, numberIn, withValues } from '../editor-props.ts'
import { AreaSelect } from './area-select.tsx'
import { largestArea, shareOf } from './geometry.ts'
import { Picture } from './picture.tsx'

/** Aspect ratios of the shapes that the operation creates. */
const ASPECTS: Readonly<Record<string, number>> = { square: 1, vertical: 9 / 16, widescreen: 16 / 9 }

/** Selects the part of a frame that a crop to another shape keeps. Sets `focus_x` and `focus_y`. */
export default function FocusEditor(props: EditorProps) {
  const { fields, params, onChange } = props
  const shape = params.preset ?? fields.find(({ key }) => key === 'preset')?.default
  const aspect = ASPECTS[String(shape)] ?? 1
  const shares = { x: numberIn(props, 'focus_x') ?? 0.5, y: numberIn(props, 'focus_y') ?? 0.5 }
  return (
    <Picture {...props}>
      {(size) => (
        <AreaSelect
          area={largestArea(aspect, size, shares)}
          size={size}
          isMovedOnly
          onChange={({ left, top, width, height }) => {
            const focus_x = shareOf(left, size.width - width)
            onChange(withValues(params, { focus_x, focus_y: shareOf(top, size.height - height) }))
          }}
        />
      )}
    </Picture>
  )
}
