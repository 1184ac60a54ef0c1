import { useLocation } from 'preact-iso'
import { useConfig } from '../api/config.ts'
import { isSignedIn } from '../api/session.ts'
import { DropZone } from '../studio/drop-zone.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { formatCount } from '../text/format.ts'
import styles from './landing.module.css'

const texts = defineTexts({
  en: {
    title: 'Compress, convert and cut videos and images',
    lead: 'Add a file, choose what to do with it, and download the result. In the browser, or by API.',
    free: (files: number, minutes: number) =>
      `Without an account: up to ${formatCount(files, { one: '# file', other: '# files' })} a day, ` +
      `videos of up to ${formatCount(minutes, { one: '# minute', other: '# minutes' })}.`,
  },
  uk: {
    title: 'Стискайте, конвертуйте й монтуйте відео та зображення',
    lead: 'Додайте файл, виберіть, що з ним зробити, і завантажте результат. У браузері або через API.',
    free: (files: number, minutes: number) =>
      `Без облікового запису: до ${formatCount(files, { one: '# файлу', other: '# файлів' })} на день, ` +
      `відео до ${formatCount(minutes, { one: '# хвилини', other: '# хвилин' })}.`,
  },
  ru: {
    title: 'Сжимайте, конвертируйте и монтируйте видео и изображения',
    lead: 'Добавьте файл, выберите, что с ним сделать, и скачайте результат. В браузере или через API.',
    free: (files: number, minutes: number) =>
      `Без аккаунта: до ${formatCount(files, { one: '# файла', other: '# файлов' })} в день, ` +
      `видео до ${formatCount(minutes, { one: '# минуты', other: '# минут' })}.`,
  },
})

/** What the product does in one line, and where to begin: files and links that are added here open in the studio. */
export function Hero() {
  const t = texts()
  const { route } = useLocation()
  return (
    <header class={styles.hero}>
      <h1 class={styles.title}>{t.title}</h1>
      <p class={styles.lead}>{t.lead}</p>
      <div class={styles.zone}>
        <DropZone onAdded={() => route('/studio')} />
      </div>
      <FreeOfCharge />
    </header>
  )
}

/** Reserves its line, so that the page does not move when the limits arrive. */
function FreeOfCharge() {
  const { data } = useConfig()
  const is_free = data?.anonymous.uploads_enabled && !isSignedIn.value
  return (
    <p class={styles.free}>
      {is_free && texts().free(data.anonymous.uploads_per_day, data.anonymous.input_max_minutes)}
    </p>
  )
}
