import type { ComponentChildren } from 'preact'
import { useTitle } from '../shell/title.ts'
import styles from './auth-page.module.css'

interface AuthPageProps {
  title: string
  lead?: ComponentChildren
  /** Line below the card: where else to go. */
  below?: ComponentChildren
  children?: ComponentChildren
}

/** A page with one card in the middle, for a single thing to do. */
export function AuthPage({ title, lead, below, children }: AuthPageProps) {
  useTitle(title)
  return (
    <main id="content" class={styles.page} tabIndex={-1}>
      <div class={styles.card}>
        <header>
          <h1>{title}</h1>
          {lead && <p class={styles.lead}>{lead}</p>}
        </header>
        {children}
      </div>
      {below && <p class={styles.below}>{below}</p>}
    </main>
  )
}
