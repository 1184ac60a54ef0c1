import { CircleAlert, CircleCheck, Pause, Play, X } from 'lucide-preact'
import { describeError } from '../api/media.ts'
import { IconButton } from '../design/button.tsx'
import { ProgressBar } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { formatBytes, formatPercent } from '../text/format.ts'
import styles from './item-list.module.css'
import { Thumbnail } from './thumbnail.tsx'
import { items, removeItem, type WorkItem } from './work/items.ts'
import { pauseUpload, resumeUpload, stopUpload } from './work/upload-items.ts'

const texts = defineTexts({
  en: {
    waiting: 'Waiting',
    uploading: (percent: string) => `Uploading, ${percent}`,
    paused: 'Paused',
    failed: 'Upload failed',
    done: 'Uploaded',
    link: 'Link',
    pause: 'Pause',
    resume: 'Resume',
    remove: (name: string) => `Remove ${name}`,
  },
  uk: {
    waiting: 'Очікує',
    uploading: (percent: string) => `Завантаження, ${percent}`,
    paused: 'Призупинено',
    failed: 'Не вдалося завантажити',
    done: 'Завантажено',
    link: 'Посилання',
    pause: 'Призупинити',
    resume: 'Продовжити',
    remove: (name: string) => `Прибрати ${name}`,
  },
  ru: {
    waiting: 'Ожидает',
    uploading: (percent: string) => `Загрузка, ${percent}`,
    paused: 'Приостановлено',
    failed: 'Не удалось загрузить',
    done: 'Загружено',
    link: 'Ссылка',
    pause: 'Приостановить',
    resume: 'Продолжить',
    remove: (name: string) => `Убрать ${name}`,
  },
})

/** The inputs in the studio with the state of their uploads. */
export function ItemList() {
  return (
    <ul class={styles.list}>
      {items.value.map((item) => (
        <ItemRow key={item.id} item={item} />
      ))}
    </ul>
  )
}

function ItemRow({ item }: { item: WorkItem }) {
  const t = texts()
  const { status, fraction, error } = item.upload.value
  const state =
    item.kind === 'link' ? t.link : status === 'uploading' ? t.uploading(formatPercent(fraction)) : t[status]
  return (
    <li class={styles.row}>
      <Thumbnail item={item} />
      <div class={styles.text}>
        <p class={styles.name}>{item.name}</p>
        <p class={styles.state}>
          {item.size_bytes !== null && `${formatBytes(item.size_bytes)} · `}
          {status === 'failed' && error !== null ? describeError(error).message : state}
        </p>
        {(status === 'uploading' || status === 'paused') && (
          <ProgressBar fraction={fraction} label={item.name} />
        )}
      </div>
      <UploadIcon status={status} />
      {status === 'uploading' && (
        <IconButton label={t.pause} onClick={() => pauseUpload(item)}>
          <Pause size={18} aria-hidden />
        </IconButton>
      )}
      {(status === 'paused' || status === 'failed') && (
        <IconButton label={t.resume} onClick={() => resumeUpload(item)}>
          <Play size={18} aria-hidden />
        </IconButton>
      )}
      <IconButton
        label={t.remove(item.name)}
        onClick={() => {
          stopUpload(item)
          removeItem(item.id)
        }}
      >
        <X size={18} aria-hidden />
      </IconButton>
    </li>
  )
}

function UploadIcon({ status }: { status: string }) {
  if (status === 'done') return <CircleCheck class={styles.good} size={18} aria-hidden />
  return status === 'failed' ? <CircleAlert class={styles.bad} size={18} aria-hidden /> : null
}
