import type { ComponentChildren } from 'preact'
import { defineTexts } from '../text/define-texts.ts'
import styles from './preview.module.css'

const texts = defineTexts({
  en: { before: 'Before', after: 'After' },
  uk: { before: 'До', after: 'Після' },
  ru: { before: 'До', after: 'После' },
})

/** Input and result side by side, or one below the other on phones. */
export function Pair({ before, after }: { before: ComponentChildren; after: ComponentChildren }) {
  const t = texts()
  return (
    <div class={styles.pair}>
      <figure>
        <figcaption>{t.before}</figcaption>
        {before}
      </figure>
      <figure>
        <figcaption>{t.after}</figcaption>
        {after}
      </figure>
    </div>
  )
}
