import { Upload } from 'lucide-preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { describeError, media } from '../../../api/media.ts'
import { Button } from '../../../design/button.tsx'
import { TextField } from '../../../design/field.tsx'
import { ProgressBar } from '../../../design/surfaces.tsx'
import { defineTexts } from '../../../text/define-texts.ts'
import { isolate } from '../../../text/isolate.ts'
import { type ControlProps, notesOf } from './control-props.ts'
import styles from './controls.module.css'

const texts = defineTexts({
  en: {
    choose: 'Choose a file',
    paste: 'Paste a link',
    empty: 'This file is empty. Choose another one.',
    uploading: (name: string) => `Uploading ${name}`,
  },
  uk: {
    choose: 'Вибрати файл',
    paste: 'Вставте посилання',
    empty: 'Цей файл порожній. Виберіть інший.',
    uploading: (name: string) => `Завантаження ${name}`,
  },
  ru: {
    choose: 'Выбрать файл',
    paste: 'Вставьте ссылку',
    empty: 'Этот файл пустой. Выберите другой.',
    uploading: (name: string) => `Загрузка ${name}`,
  },
})

const TYPES = { image: 'image/*', audio: 'audio/*,video/*', text: '.srt,.vtt,text/vtt' } as const

/** A second file, such as a logo: uploaded from here, or given by its link. */
export function FileControl(props: ControlProps) {
  const t = texts()
  const { field, value, onChange } = props
  const input = useRef<HTMLInputElement>(null)
  const { upload, start } = useUpload(onChange)
  return (
    <div class={styles.file}>
      <TextField
        {...notesOf(props)}
        fault={upload.error ?? props.fault}
        type="url"
        placeholder={t.paste}
        value={String(value ?? '')}
        onInput={({ currentTarget }) => onChange(currentTarget.value.trim())}
      />
      <input
        ref={input}
        type="file"
        hidden
        accept={field.accepts?.map((kind) => TYPES[kind]).join(',')}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file !== undefined) void start(file)
          currentTarget.value = ''
        }}
      />
      <Button isBusy={upload.fraction !== null} onClick={() => input.current?.click()}>
        <Upload size={18} aria-hidden />
        {t.choose}
      </Button>
      {upload.fraction !== null ? (
        <ProgressBar fraction={upload.fraction} label={t.uploading(isolate(upload.name))} />
      ) : (
        upload.name !== '' && <bdi class={styles.unit}>{upload.name}</bdi>
      )}
    </div>
  )
}

interface UploadState {
  name: string
  /** Null while nothing is uploaded. */
  fraction: number | null
  error: string | null
}

function useUpload(onDone: (url: string) => void) {
  const [upload, setUpload] = useState<UploadState>({ name: '', fraction: null, error: null })
  const controller = useRef<AbortController>()
  const done = useRef(onDone)
  done.current = onDone
  useEffect(() => () => controller.current?.abort(), [])
  const start = async (file: File) => {
    controller.current = new AbortController()
    const { signal } = controller.current
    const { name } = file
    if (file.size === 0) return setUpload({ name, fraction: null, error: texts().empty })
    setUpload({ name, fraction: 0, error: null })
    try {
      const { url } = await media.value.uploads.file(file, {
        signal,
        onProgress: ({ fraction }) => setUpload({ name, fraction, error: null }),
      })
      setUpload({ name, fraction: null, error: null })
      done.current(url)
    } catch (error) {
      if (!signal.aborted) setUpload({ name: '', fraction: null, error: describeError(error).message })
    }
  }
  return { upload, start }
}
