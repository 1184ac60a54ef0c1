import type { FunctionComponent } from 'preact'
import { type Field, visibleFields } from '../studio/form/form-fields.ts'
import type { EditorProps } from './editor-props.ts'

type Editor = FunctionComponent<EditorProps>

interface EditorEntry {
  name: string
  /** Parameters that it sets. Operations that have all of them get the editor. */
  keys: readonly string[]
  /** Control that one of them needs to have. */
  control?: Field['control']
  load: () => Promise<{ default: Editor }>
}

/** All editors, by the parameters that they set. */
const EDITORS: readonly EditorEntry[] = [
  { name: 'clip', keys: ['start', 'duration'], load: () => import('./clip/clip-editor.tsx') },
  { name: 'frame', keys: ['at'], load: () => import('./clip/frame-editor.tsx') },
  {
    name: 'circle',
    keys: ['zoom', 'offset_x', 'offset_y'],
    load: () => import('./area/circle-editor.tsx'),
  },
  { name: 'focus', keys: ['focus_x', 'focus_y'], load: () => import('./area/focus-editor.tsx') },
  { name: 'crop', keys: ['crop_aspect', 'gravity'], load: () => import('./area/crop-editor.tsx') },
  {
    name: 'position',
    keys: ['position'],
    control: 'position',
    load: () => import('./area/position-editor.tsx'),
  },
  { name: 'captions', keys: ['subtitles_text'], load: () => import('./captions/captions-editor.tsx') },
]

/** Returns the editors of an operation whose parameters have an effect now. */
export function findEditors(fields: readonly Field[], params: EditorProps['params']): readonly EditorEntry[] {
  const known = new Set(fields.map(({ key }) => key))
  const shown = new Set(visibleFields(fields, params).map(({ key }) => key))
  return EDITORS.filter(
    ({ keys, control }) =>
      keys.every((key) => known.has(key)) &&
      keys.some((key) => shown.has(key)) &&
      (control === undefined ||
        fields.some((field) => keys.includes(field.key) && field.control === control)),
  )
}
