import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ErrorNotice, Skeleton } from '../design/surfaces.tsx'
import { formFields, type Params } from '../studio/form/form-fields.ts'
import type { Tool } from '../studio/tools.ts'
import type { WorkItem } from '../studio/workspace/items.ts'
import { defineTexts } from '../text/define-texts.ts'
import { isolate } from '../text/isolate.ts'
import type { EditorProps } from './editor-props.ts'
import styles from './editors.module.css'
import { findEditors } from './find-editors.ts'

const texts = defineTexts({
  en: { shown: (name: string, count: number) => `Shown: ${name}. The settings apply to all ${count} files.` },
  uk: {
    shown: (name: string, count: number) =>
      `Показано ${name}. Налаштування застосуються до всіх файлів (${count}).`,
  },
  ru: {
    shown: (name: string, count: number) =>
      `Показан ${name}. Настройки применяются ко всем файлам (${count}).`,
  },
})

interface EditorsProps {
  tool: Tool
  targets: readonly WorkItem[]
  params: Params
  onChange: (params: Params) => void
}

/** The editors on the picture that suit an operation. They show the first input that this browser has. */
export function Editors({ tool, targets, params, onChange }: EditorsProps) {
  const fields = formFields(tool)
  const editors = findEditors(fields, params)
  const shown = targets.find(({ file, kind }) => file.value !== null && kind !== 'link')
  const file = shown?.file.value ?? null
  if (shown === undefined || shown.kind === 'link' || file === null || editors.length === 0) return null
  const { id, kind, name } = shown
  return (
    <div class={styles.editors}>
      {editors.map((editor) => (
        <LazyEditor
          key={`${editor.name} ${id}`}
          load={editor.load}
          {...{ file, kind, fields, params, onChange }}
        />
      ))}
      {targets.length > 1 && <p class={styles.shown}>{texts().shown(isolate(name), targets.length)}</p>}
    </div>
  )
}

/** Loads an editor when it is first needed. */
function LazyEditor({
  load,
  ...props
}: EditorProps & { load: () => Promise<{ default: FunctionComponent<EditorProps> }> }) {
  const [loaded, setLoaded] = useState<
    { Editor: FunctionComponent<EditorProps> } | { error: unknown } | null
  >(null)
  useEffect(() => {
    load().then(
      (module) => setLoaded({ Editor: module.default }),
      (error: unknown) => setLoaded({ error }),
    )
  }, [])
  if (loaded === null) return <Skeleton height="24rem" />
  return 'error' in loaded ? <ErrorNotice error={loaded.error} /> : <loaded.Editor {...props} />
}
