import { type EditorProps, numberIn, withValues } from '../editor-props.ts'
import { AreaSelect } from './area-select.tsx'
import { type Size, squareOf, zoomTo } from './geometry.ts'
import { Picture } from './picture.tsx'

/** Largest zoom of the service: the smallest circle has a tenth of the largest diameter. */
const ZOOM_MAX = 10

/** Selects a circle on the picture. Sets `zoom`, `offset_x` and `offset_y`. */
export default function CircleEditor(props: EditorProps) {
  const { params, onChange } = props
  const square = (size: Size) => {
    const [zoom = 1, offset_x = 0, offset_y = 0] = ['zoom', 'offset_x', 'offset_y'].map(
      (key) => numberIn(props, key) ?? undefined,
    )
    return squareOf({ zoom, offset_x, offset_y }, size)
  }
  return (
    <Picture {...props}>
      {(size) => (
        <AreaSelect
          area={square(size)}
          size={size}
          aspect={1}
          min={Math.ceil(Math.min(size.width, size.height) / ZOOM_MAX)}
          isCircle
          onChange={(area) => onChange(withValues(params, { ...zoomTo(area, size) }))}
        />
      )}
    </Picture>
  )
}
