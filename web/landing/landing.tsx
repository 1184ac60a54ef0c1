import { useTitle } from '../shell/title.ts'
import { defineTexts } from '../text/define-texts.ts'
import { BeforeAfter } from './before-after.tsx'
import { Developers } from './developers.tsx'
import { Hero } from './hero.tsx'
import styles from './landing.module.css'
import { Prices } from './prices.tsx'
import { ToolGroups } from './tool-groups.tsx'

const texts = defineTexts({
  en: { title: 'Compress, convert and cut videos and images' },
  uk: { title: 'Стиснути, конвертувати та змонтувати відео й зображення' },
  ru: { title: 'Сжать, конвертировать и смонтировать видео и изображения' },
})

/** What the product does, and a place to begin at once. */
export default function Landing() {
  useTitle(texts().title)
  return (
    <main id="content" class={styles.page} tabIndex={-1}>
      <Hero />
      <ToolGroups />
      <BeforeAfter />
      <Prices />
      <Developers />
    </main>
  )
}
