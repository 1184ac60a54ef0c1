import { useEffect, useState } from 'preact/hooks'
import type { UploadSessionCreated } from '../../client/src/index.ts'
import { Button, LinkButton } from '../design/button.tsx'
import { CopyButton } from '../design/copy-button.tsx'
import { Card } from '../design/surfaces.tsx'
import { Page } from '../shell/page.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { formatDeadline } from '../text/format.ts'
import styles from './upload-links.module.css'

const texts = defineTexts({
  en: {
    title: 'Your upload link',
    lead: 'Send it to the person whose file you need.',
    link: 'Upload link',
    once: (time: string) =>
      `Valid for one file until ${time}. Copy it now: the service does not store it, and only this browser can show it again.`,
    qr: 'QR code of the link',
    all: 'All links',
    another: 'Create another',
  },
  uk: {
    title: 'Ваше посилання для завантаження',
    lead: 'Надішліть його тому, чий файл вам потрібен.',
    link: 'Посилання для завантаження',
    once: (time: string) =>
      `Діє для одного файлу до ${time}. Скопіюйте його зараз: сервіс його не зберігає, і показати його знову зможе лише цей браузер.`,
    qr: 'QR-код посилання',
    all: 'Усі посилання',
    another: 'Створити ще одне',
  },
  ru: {
    title: 'Ваша ссылка для загрузки',
    lead: 'Отправьте ее тому, чей файл вам нужен.',
    link: 'Ссылка для загрузки',
    once: (time: string) =>
      `Действует для одного файла до ${time}. Скопируйте ее сейчас: сервис ее не хранит, и показать ее снова сможет только этот браузер.`,
    qr: 'QR-код ссылки',
    all: 'Все ссылки',
    another: 'Создать еще одну',
  },
})

interface CreatedLinkProps {
  created: UploadSessionCreated
  onAnother: () => void
}

/** Shows a new link, which the service shows only once. */
export function CreatedLink({ created, onAnother }: CreatedLinkProps) {
  const t = texts()
  const { upload_url, expires_at } = created
  useEffect(() => document.getElementById('content')?.focus(), [])
  return (
    <Page title={t.title} lead={t.lead} isNarrow>
      <Card class={styles.created}>
        <QrCode text={upload_url} label={t.qr} />
        <div class={styles.url}>
          <input readOnly aria-label={t.link} value={upload_url} onFocus={selectAll} />
          <CopyButton text={upload_url} />
        </div>
        <p class={styles.quiet}>{t.once(formatDeadline(expires_at))}</p>
      </Card>
      <div class={styles.actions}>
        <LinkButton href="/upload-links">{t.all}</LinkButton>
        <Button look="plain" onClick={onAnother}>
          {t.another}
        </Button>
      </div>
    </Page>
  )
}

const selectAll = ({ currentTarget }: { currentTarget: HTMLInputElement }) => currentTarget.select()

/** Draws the code as one path of squares, on white in both themes, because cameras expect dark on light. */
function QrCode({ text, label }: { text: string; label: string }) {
  const [squares, setSquares] = useState<boolean[][]>([])
  useEffect(() => {
    // A part of its own, because few pages need it.
    void import('qr').then(({ encodeQR }) => setSquares(encodeQR(text, 'raw', { border: 2 })))
  }, [text])
  const path = squares
    .flatMap((row, y) => row.map((is_dark, x) => (is_dark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  const size = squares.length || 1
  return (
    <svg class={styles.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  )
}
