import { FileUp } from 'lucide-preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import type { UploadLink } from '../../client/src/index.ts'
import { Button } from '../design/button.tsx'
import { classes } from '../design/classes.ts'
import { ProgressBar } from '../design/surfaces.tsx'
import { useFileDrop } from '../studio/use-file-drop.ts'
import { defineTexts } from '../text/define-texts.ts'
import { formatBytes, formatPercent } from '../text/format.ts'
import { describeOneFile } from '../text/media-types.ts'
import { FaultNotice } from './fault-notice.tsx'
import styles from './send.module.css'
import type { Fault } from './use-sending.ts'

const texts = defineTexts({
  en: {
    choose: 'Choose a file',
    drop: 'or drop it here',
    bounds: (file: string, size: string) => `${file}, up to ${size}`,
    send: 'Send this file',
    other: 'Choose another',
    stop: 'Stop',
    progress: 'Progress of the upload',
  },
  uk: {
    choose: 'Вибрати файл',
    drop: 'або перетягніть його сюди',
    bounds: (file: string, size: string) => `${file}, до ${size}`,
    send: 'Надіслати цей файл',
    other: 'Вибрати інший',
    stop: 'Зупинити',
    progress: 'Перебіг завантаження',
  },
  ru: {
    choose: 'Выбрать файл',
    drop: 'или перетащите его сюда',
    bounds: (file: string, size: string) => `${file}, до ${size}`,
    send: 'Отправить этот файл',
    other: 'Выбрать другой',
    stop: 'Остановить',
    progress: 'Ход загрузки',
  },
})

interface ChooseProps {
  link: UploadLink
  fault: Fault | null
  onChoose: (files: readonly File[]) => void
}

/** A button and a drop zone. Files can be dropped anywhere on the page. */
export function ChooseFile({ link, fault, onChoose }: ChooseProps) {
  const t = texts()
  const id = useId()
  const is_over = useFileDrop(onChoose)
  return (
    <>
      <label class={classes(styles.drop, is_over && styles.over)}>
        <input
          type="file"
          class="visually-hidden"
          aria-describedby={id}
          accept={link.allowed_mime_types.join(',')}
          onChange={({ currentTarget: input }) => {
            onChoose([...(input.files ?? [])])
            // Allows choosing the same file again.
            input.value = ''
          }}
        />
        <FileUp size={32} aria-hidden />
        <span class={styles.choose}>{t.choose}</span>
        <span class={styles['drop-hint']}>{t.drop}</span>
        <span class={styles.quiet} id={id}>
          {t.bounds(describeOneFile(link.allowed_mime_types), formatBytes(link.max_size_bytes))}
        </span>
      </label>
      {fault && <FaultNotice link={link} fault={fault} />}
    </>
  )
}

interface ChosenProps extends Omit<ChooseProps, 'onChoose'> {
  file: File
  onSend: () => void
  onOther: () => void
}

export function ChosenFile({ link, file, fault, onSend, onOther }: ChosenProps) {
  const t = texts()
  const button = useRef<HTMLDivElement>(null)
  useEffect(() => button.current?.querySelector('button')?.focus(), [])
  return (
    <>
      <FileName file={file} detail={formatBytes(file.size)} />
      {fault && <FaultNotice link={link} fault={fault} />}
      <div class={styles.actions} ref={button}>
        <Button look="primary" onClick={onSend}>
          {t.send}
        </Button>
        <Button look="plain" onClick={onOther}>
          {t.other}
        </Button>
      </div>
    </>
  )
}

export function SendingFile({
  file,
  fraction,
  onStop,
}: {
  file: File
  fraction: number
  onStop: () => void
}) {
  const t = texts()
  useEffect(() => {
    const warn = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [])
  return (
    <>
      <FileName file={file} detail={formatPercent(Math.floor(fraction * 100) / 100)} />
      <ProgressBar fraction={fraction} label={t.progress} />
      <div class={styles.actions}>
        <Button onClick={onStop}>{t.stop}</Button>
      </div>
    </>
  )
}

function FileName({ file, detail }: { file: File; detail: string }) {
  return (
    <p class={styles.file}>
      <bdi>
        <strong>{file.name}</strong>
      </bdi>{' '}
      <span class={styles.quiet}>{detail}</span>
    </p>
  )
}
