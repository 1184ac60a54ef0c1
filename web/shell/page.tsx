import type { ComponentChildren } from 'preact'
import { classes } from '../design/classes.ts'
import styles from './page.module.css'
import { useTitle } from './title.ts'

interface PageProps {
  /** Title of the tab, and the heading unless `heading` replaces it. */
  title: string
  heading?: ComponentChildren
  /** Sentence below the heading. */
  lead?: ComponentChildren
  /** Buttons beside the heading. */
  actions?: ComponentChildren
  /** True for forms and texts, which are hard to read in wide lines. */
  isNarrow?: boolean
  children: ComponentChildren
}

/** Content of a page. Sets the title of the tab. */
export function Page({ title, heading, lead, actions, isNarrow, children }: PageProps) {
  useTitle(title)
  return (
    <main id="content" class={classes(styles.page, isNarrow && styles.narrow)} tabIndex={-1}>
      <header class={styles.header}>
        <div>
          <h1>{heading ?? title}</h1>
          {lead && <p class={styles.lead}>{lead}</p>}
        </div>
        {actions && <div class={styles.actions}>{actions}</div>}
      </header>
      {children}
    </main>
  )
}
