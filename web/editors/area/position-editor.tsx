import { namedOptions } from '../../studio/form/control-kind.ts'
import { PositionGrid } from '../../studio/form/controls/position-grid.tsx'
import { type EditorProps, withValues } from '../editor-props.ts'
import styles from './area.module.css'
import { Picture } from './picture.tsx'

/** Picks one of nine places on the picture. Sets `position`. */
export default function PositionEditor({ file, kind, fields, params, onChange }: EditorProps) {
  const field = fields.find(({ key }) => key === 'position')
  if (field === undefined) return null
  return (
    <Picture {...{ file, kind, params }}>
      {() => (
        <fieldset class={styles.positions} aria-label={field.label}>
          <PositionGrid
            options={namedOptions(field)}
            value={String(params.position ?? field.default)}
            onChange={(position) => onChange(withValues(params, { position }))}
            fillsPicture
          />
        </fieldset>
      )}
    </Picture>
  )
}
