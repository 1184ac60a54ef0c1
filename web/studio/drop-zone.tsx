import { Upload } from 'lucide-preact'
import { useCallback, useEffect, useId, useRef, useState } from 'preact/hooks'
import { Button } from '../design/button.tsx'
import { classes } from '../design/classes.ts'
import { defineTexts } from '../text/define-texts.ts'
import styles from './drop-zone.module.css'
import { clearRefusedFiles, refusedFiles } from './refused-files.ts'
import { RefusedNotices } from './refused-notices.tsx'
import { useFileDrop } from './use-file-drop.ts'
import { parseLink } from './workspace/input-kind.ts'
import { addFiles, addLink } from './workspace/items.ts'

const texts = defineTexts({
  en: {
    choose: 'Choose files',
    drop: 'or drop videos and images here',
    folder: 'Choose a folder',
    link: 'Or paste a link to a video',
    add: 'Add link',
    bad_link: 'Enter a link that starts with https:// or http://.',
  },
  uk: {
    choose: 'Вибрати файли',
    drop: 'або перетягніть сюди відео чи зображення',
    folder: 'Вибрати теку',
    link: 'Або вставте посилання на відео',
    add: 'Додати посилання',
    bad_link: 'Введіть посилання, що починається з https:// або http://.',
  },
  ru: {
    choose: 'Выбрать файлы',
    drop: 'или перетащите сюда видео или изображения',
    folder: 'Выбрать папку',
    link: 'Или вставьте ссылку на видео',
    add: 'Добавить ссылку',
    bad_link: 'Введите ссылку, которая начинается с https:// или http://.',
  },
})

/** Attribute of every current browser that the types of Preact lack. */
const CHOOSES_FOLDER = { webkitdirectory: true }

/** Takes files, folders and links into the studio. Below a list, the notices of refused files are above the list. */
export function DropZone({ onAdded, isCompact }: { onAdded?: () => void; isCompact?: boolean }) {
  const leads_elsewhere = onAdded !== undefined
  useEffect(() => (leads_elsewhere ? undefined : clearRefusedFiles), [leads_elsewhere])
  const add = useCallback(
    (files: readonly File[]) => {
      const filled = files.filter(({ size }) => size > 0)
      const empty = files.filter(({ size }) => size === 0).map(({ name }) => name)
      const unknown = addFiles(filled)
      refusedFiles.value = { unknown, empty }
      if (unknown.length < filled.length) onAdded?.()
    },
    [onAdded],
  )
  const isOver = useFileDrop(add)
  return (
    <div class={classes(styles.zone, isOver && styles.over, isCompact && styles.compact)}>
      {!isCompact && <RefusedNotices />}
      <Choose onFiles={add} />
      <LinkForm onAdded={onAdded} />
    </div>
  )
}

function Choose({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const t = texts()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  // On the landing page, files can be chosen before the script has loaded.
  useEffect(() => {
    const { current } = input
    if (current?.files?.length) choose({ currentTarget: current })
  }, [])
  const choose = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    onFiles([...(currentTarget.files ?? [])])
    currentTarget.value = ''
  }
  return (
    <div class={styles.choose}>
      <Upload aria-hidden />
      <input
        ref={input}
        id={id}
        type="file"
        class="visually-hidden"
        multiple
        accept="video/*,image/*,.mkv,.heic,.heif,.avif"
        onChange={choose}
      />
      <label class={styles.button} for={id}>
        {t.choose}
      </label>
      <span>{t.drop}</span>
      <input id={`${id}-folder`} type="file" class="visually-hidden" {...CHOOSES_FOLDER} onChange={choose} />
      <label class={styles.folder} for={`${id}-folder`}>
        {t.folder}
      </label>
    </div>
  )
}

function LinkForm({ onAdded }: { onAdded?: (() => void) | undefined }) {
  const t = texts()
  const [text, setText] = useState('')
  const [isRefused, setRefused] = useState(false)
  return (
    <form
      class={styles.link}
      onSubmit={(event) => {
        event.preventDefault()
        const link = parseLink(text)
        setRefused(link === null)
        if (link === null) return
        addLink(link)
        setText('')
        onAdded?.()
      }}
    >
      <input
        class={styles.input}
        type="url"
        value={text}
        aria-label={t.link}
        aria-invalid={isRefused || undefined}
        placeholder={t.link}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit">{t.add}</Button>
      {isRefused && <span role="alert">{t.bad_link}</span>}
    </form>
  )
}
