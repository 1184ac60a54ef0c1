import { useTitle } from '../shell/title.ts'
import { BeforeAfter } from './before-after.tsx'
import { Developers } from './developers.tsx'
import { Hero } from './hero.tsx'
import styles from './landing.module.css'
import { Prices } from './prices.tsx'
import { landingTexts } from './texts.ts'
import { ToolGroups } from './tool-groups.tsx'

/** What the product does, and a place to begin at once. */
export default function Landing() {
  useTitle(landingTexts().title)
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
