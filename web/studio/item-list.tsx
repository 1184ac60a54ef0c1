import { CircleAlert, CircleCheck, Pause, Play, X } from 'lucide-preact'
import { useId, useState } from 'preact/hooks'
import { MediaError } from '../../client/src/index.ts'
import { describeError } from '../api/media.ts'
import { IconButton } from '../design/button.tsx'
import { ProgressBar, Skeleton } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { formatBytes, formatDuration, formatPercent } from '../text/format.ts'
import { isolate } from '../text/isolate.ts'
import styles from './item-list.module.css'
import { Thumbnail } from './thumbnail.tsx'
import { inputs, type WorkItem } from './workspace/items.ts'
import { awaited_inputs } from './workspace/keep-work.ts'
import { removeItem } from './workspace/remove.ts'
import { remainingUploadSeconds } from './workspace/schedule.ts'
import { chooseFileAgain, pauseUpload, resumeUpload } from './workspace/upload-items.ts'

const texts = defineTexts({
  en: {
    waiting: 'Waiting',
    uploading: (percent: string) => `Uploading, ${percent}`,
    left: (time: string) => `${time} left`,
    paused: (percent: string) => `Paused at ${percent}`,
    failed: 'Upload failed',
    bad_type: 'No tool accepts files of this type. Choose a video or an image.',
    file_missing: 'The browser did not keep this file. Choose it again to continue.',
    other_file: 'This is another file. Choose the one with the same name and size.',
    choose_again: 'Choose the file',
    done: 'Uploaded',
    link: 'Link',
    pause: (name: string) => `Pause ${name}`,
    resume: (name: string) => `Resume ${name}`,
    remove: (name: string) => `Remove ${name}`,
  },
  uk: {
    waiting: 'Очікує',
    uploading: (percent: string) => `Завантаження, ${percent}`,
    left: (time: string) => `залишилося ${time}`,
    paused: (percent: string) => `Призупинено на ${percent}`,
    failed: 'Не вдалося завантажити',
    bad_type: 'Жоден інструмент не приймає файлів цього типу. Виберіть відео або зображення.',
    file_missing: 'Браузер не зберіг цей файл. Виберіть його ще раз, щоб продовжити.',
    other_file: 'Це інший файл. Виберіть той, що має таку саму назву й розмір.',
    choose_again: 'Вибрати файл',
    done: 'Завантажено',
    link: 'Посилання',
    pause: (name: string) => `Призупинити ${name}`,
    resume: (name: string) => `Продовжити ${name}`,
    remove: (name: string) => `Прибрати ${name}`,
  },
  ru: {
    waiting: 'Ожидает',
    uploading: (percent: string) => `Загрузка, ${percent}`,
    left: (time: string) => `осталось ${time}`,
    paused: (percent: string) => `Приостановлено на ${percent}`,
    failed: 'Не удалось загрузить',
    bad_type: 'Ни один инструмент не принимает файлы этого типа. Выберите видео или изображение.',
    file_missing: 'Браузер не сохранил этот файл. Выберите его снова, чтобы продолжить.',
    other_file: 'Это другой файл. Выберите файл с тем же названием и размером.',
    choose_again: 'Выбрать файл',
    done: 'Загружено',
    link: 'Ссылка',
    pause: (name: string) => `Приостановить ${name}`,
    resume: (name: string) => `Продолжить ${name}`,
    remove: (name: string) => `Убрать ${name}`,
  },
})

/** The inputs in the studio with the state of their uploads. */
export function ItemList() {
  return (
    <ul class={styles.list}>
      {Array.from({ length: awaited_inputs.value }, (_, index) => (
        <li key={index}>
          <Skeleton height="4.25rem" />
        </li>
      ))}
      {inputs.value.map((item) => (
        <ItemRow key={item.id} item={item} />
      ))}
    </ul>
  )
}

function ItemRow({ item }: { item: WorkItem }) {
  const t = texts()
  const { status, fraction, error } = item.upload.value
  return (
    <li class={styles.row}>
      <Thumbnail item={item} />
      <div class={styles.text}>
        <p class={styles.name} title={item.name}>
          <bdi>{item.name}</bdi>
        </p>
        <p class={styles.state}>
          {item.size_bytes !== null && `${formatBytes(item.size_bytes)} · `}
          {describeUpload(item)}
        </p>
        {(status === 'uploading' || status === 'paused') && (
          <ProgressBar fraction={fraction} label={item.name} />
        )}
        {status === 'file_missing' && <ChooseAgain item={item} />}
      </div>
      <UploadIcon status={status} />
      {status === 'uploading' && (
        <IconButton label={t.pause(isolate(item.name))} onClick={() => pauseUpload(item)}>
          <Pause size={18} aria-hidden />
        </IconButton>
      )}
      {(status === 'paused' || status === 'failed') && (
        <IconButton label={t.resume(isolate(item.name))} onClick={() => resumeUpload(item)}>
          <Play size={18} aria-hidden />
        </IconButton>
      )}
      <IconButton label={t.remove(isolate(item.name))} onClick={() => removeItem(item)}>
        <X size={18} aria-hidden />
      </IconButton>
      {status === 'failed' && error !== null && <p class={styles.fault}>{describeFault(error)}</p>}
    </li>
  )
}

function describeUpload({ kind, upload }: WorkItem): string {
  const t = texts()
  const { status, fraction } = upload.value
  if (kind === 'link') return t.link
  if (status === 'paused') return t.paused(formatPercent(fraction))
  if (status !== 'uploading') return t[status]
  const seconds = remainingUploadSeconds(upload.value, Date.now())
  const parts = [
    t.uploading(formatPercent(fraction)),
    seconds === null ? null : t.left(formatDuration(seconds)),
  ]
  return parts.filter((part) => part !== null).join(', ')
}

/** What the service advises about types of files is for programs. */
function describeFault(error: unknown): string {
  const isType = error instanceof MediaError && error.code === 'file_type_not_allowed'
  return isType ? texts().bad_type : describeError(error).message
}

/** Asks for a file again that the browser could not keep over a reload. */
function ChooseAgain({ item }: { item: WorkItem }) {
  const t = texts()
  const id = useId()
  const [isOther, setOther] = useState(false)
  return (
    <>
      <input
        id={id}
        type="file"
        class="visually-hidden"
        onChange={({ currentTarget: { files } }) => {
          const file = files?.[0]
          if (file !== undefined) setOther(!chooseFileAgain(item, file))
        }}
      />
      <label class={styles.again} for={id}>
        {t.choose_again}
      </label>
      {isOther && (
        <p class={styles.state} role="alert">
          {t.other_file}
        </p>
      )}
    </>
  )
}

function UploadIcon({ status }: { status: string }) {
  if (status === 'done') return <CircleCheck class={styles.good} size={18} aria-hidden />
  return status === 'failed' ? <CircleAlert class={styles.bad} size={18} aria-hidden /> : null
}
