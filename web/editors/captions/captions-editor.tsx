import { FileUp, Plus, X } from 'lucide-preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import { decodeText } from '../../../shared/text/decode-text.ts'
import { Button, IconButton } from '../../design/button.tsx'
import { TextArea } from '../../design/field.tsx'
import { Notice } from '../../design/surfaces.tsx'
import { defineTexts } from '../../text/define-texts.ts'
import { type EditorProps, withValues } from '../editor-props.ts'
import { CannotShow } from '../media/cannot-show.tsx'
import { useObjectUrl } from '../media/use-object-url.ts'
import styles from './captions-editor.module.css'
import { CueTime } from './cue-time.tsx'
import { type Cue, cueFault, nextCue, parseCues, writeCues, writePreview } from './cues.ts'

const texts = defineTexts({
  en: {
    title: 'Your own subtitles',
    none: 'Without them, the service recognizes the speech. Import a file, or add subtitles by hand.',
    import: 'Import SRT, VTT or ASS',
    unreadable: 'This file contains no subtitles. Choose a file in SRT, WebVTT or ASS format.',
    add: 'Add a subtitle',
    text: (number: number) => `Text of no. ${number}`,
    start: (number: number) => `Start of no. ${number}`,
    end: (number: number) => `End of no. ${number}`,
    remove: (number: number) => `Remove no. ${number}`,
    time: 'Enter times such as 0:01.5.',
    order: 'The end must come after the start.',
    empty: 'A subtitle without text is left out.',
  },
  uk: {
    title: 'Власні субтитри',
    none: 'Без них сервіс розпізнає мовлення. Імпортуйте файл або додайте субтитри вручну.',
    import: 'Імпортувати SRT, VTT або ASS',
    unreadable: 'У цьому файлі немає субтитрів. Виберіть файл у форматі SRT, WebVTT або ASS.',
    add: 'Додати субтитр',
    text: (number: number) => `Текст № ${number}`,
    start: (number: number) => `Початок № ${number}`,
    end: (number: number) => `Кінець № ${number}`,
    remove: (number: number) => `Прибрати № ${number}`,
    time: 'Введіть час, наприклад 0:01.5.',
    order: 'Кінець має бути пізніше за початок.',
    empty: 'Субтитр без тексту буде пропущено.',
  },
  ru: {
    title: 'Свои субтитры',
    none: 'Без них сервис распознает речь. Импортируйте файл или добавьте субтитры вручную.',
    import: 'Импортировать SRT, VTT или ASS',
    unreadable: 'В этом файле нет субтитров. Выберите файл в формате SRT, WebVTT или ASS.',
    add: 'Добавить субтитр',
    text: (number: number) => `Текст № ${number}`,
    start: (number: number) => `Начало № ${number}`,
    end: (number: number) => `Конец № ${number}`,
    remove: (number: number) => `Убрать № ${number}`,
    time: 'Введите время, например 0:01.5.',
    order: 'Конец должен быть позже начала.',
    empty: 'Субтитр без текста будет пропущен.',
  },
})

const KEY = 'subtitles_text'

/** Edits subtitles beside the video. Sets `subtitles_text`, as SubRip. */
export default function CaptionsEditor({ file, params, onChange }: EditorProps) {
  const t = texts()
  const url = useObjectUrl(file)
  const video = useRef<HTMLVideoElement>(null)
  const [isUnreadable, setUnreadable] = useState(false)
  const [isWrongFile, setWrongFile] = useState(false)
  const { cues, keys, change } = useCues(String(params[KEY] ?? ''), (text) =>
    onChange(withValues(params, { [KEY]: text === '' ? null : text })),
  )
  const preview = usePreview(cues)
  const importFile = async (chosen: File) => {
    const language = String(params.language ?? 'auto')
    const { text } = decodeText(new Uint8Array(await chosen.arrayBuffer()), language, decode)
    const read = parseCues(text)
    setWrongFile(read.length === 0)
    if (read.length > 0) change(read)
  }
  const list = useRef<HTMLOListElement>(null)
  const add = () => {
    change([...cues, nextCue(cues, video.current?.currentTime ?? 0)])
    // The new entry is there after the next render.
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('li:last-child textarea')?.focus())
  }
  const seek = (seconds: number) => {
    if (video.current !== null && Number.isFinite(seconds)) video.current.currentTime = seconds
  }
  return (
    <div class={styles.editor}>
      <div class={styles.picture}>
        {isUnreadable && <CannotShow />}
        {url !== null && !isUnreadable && (
          <video ref={video} src={url} controls playsInline onError={() => setUnreadable(true)}>
            <track key={preview} kind="captions" default src={preview ?? undefined} />
          </video>
        )}
      </div>
      <div class={styles.cues}>
        <h3>{t.title}</h3>
        {cues.length === 0 && <p class={styles.none}>{t.none}</p>}
        <ol ref={list} class={styles.list}>
          {cues.map((cue, index) => (
            <CueRow
              key={keys[index]}
              cue={cue}
              number={index + 1}
              onFocus={() => seek(cue.start)}
              onChange={(next) => change(cues.with(index, next), keys)}
              onRemove={() => change(cues.toSpliced(index, 1), keys.toSpliced(index, 1))}
            />
          ))}
        </ol>
        {isWrongFile && <Notice kind="bad">{t.unreadable}</Notice>}
        <div class={styles.actions}>
          <Button onClick={add}>
            <Plus size={18} aria-hidden />
            {t.add}
          </Button>
          <ImportButton label={t.import} onFile={importFile} />
        </div>
      </div>
    </div>
  )
}

const decode = (bytes: Uint8Array, encoding: string) => new TextDecoder(encoding).decode(bytes)

/** Returns a URL of the subtitles, which the browser shows in the video. */
function usePreview(cues: readonly Cue[]): string | null {
  const file = useMemo(() => new File([writePreview(cues)], 'preview.vtt', { type: 'text/vtt' }), [cues])
  return useObjectUrl(file)
}

/** Keeps the cues while they are edited; the parameter has them as text. */
function useCues(text: string, onChange: (text: string) => void) {
  const [state, setState] = useState(() => stateOf(text))
  // The text was changed elsewhere: in its field, or by a preset.
  const read = useMemo(() => stateOf(text), [text])
  const current = state.text === text ? state : read
  const change = (cues: readonly Cue[], keys?: readonly number[]) => {
    const written = cues.length === 0 ? '' : writeCues(cues)
    const first = Math.max(-1, ...current.keys) + 1
    const known = keys ?? current.keys.slice(0, cues.length)
    const added = Array.from({ length: cues.length - known.length }, (_, index) => first + index)
    setState({ text: written, cues, keys: [...known, ...added] })
    onChange(written)
  }
  return { ...current, change }
}

interface CuesState {
  text: string
  cues: readonly Cue[]
  keys: readonly number[]
}

function stateOf(text: string): CuesState {
  const cues = parseCues(text)
  return { text, cues, keys: cues.map((_, index) => index) }
}

interface CueRowProps {
  cue: Cue
  number: number
  onFocus: () => void
  onChange: (cue: Cue) => void
  onRemove: () => void
}

function CueRow({ cue, number, onFocus, onChange, onRemove }: CueRowProps) {
  const t = texts()
  const fault = cueFault(cue)
  const sentence = fault === null ? null : fault === 'text' ? t.empty : t[fault]
  return (
    <li class={styles.cue} onFocusIn={onFocus}>
      <CueTime label={t.start(number)} value={cue.start} onChange={(start) => onChange({ ...cue, start })} />
      <CueTime label={t.end(number)} value={cue.end} onChange={(end) => onChange({ ...cue, end })} />
      <IconButton label={t.remove(number)} onClick={onRemove}>
        <X size={18} aria-hidden />
      </IconButton>
      <div class={styles.text}>
        <TextArea
          label={<span class="visually-hidden">{t.text(number)}</span>}
          rows={2}
          fault={sentence}
          value={cue.text}
          onInput={({ currentTarget }) => onChange({ ...cue, text: currentTarget.value })}
        />
      </div>
    </li>
  )
}

function ImportButton({ label, onFile }: { label: string; onFile: (file: File) => Promise<void> }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept=".srt,.vtt,.ass,.ssa,text/vtt"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file !== undefined) void onFile(file)
          currentTarget.value = ''
        }}
      />
      <Button onClick={() => input.current?.click()}>
        <FileUp size={18} aria-hidden />
        {label}
      </Button>
    </>
  )
}
