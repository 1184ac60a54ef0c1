import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import styles from './panel.module.css'

interface PanelProps {
  title: string
  lead?: ComponentChildren
  /** Buttons beside the title. */
  actions?: ComponentChildren
  children?: ComponentChildren
}

/** One subject of a section: what it is, what one can do with it, and its content. */
export function Panel({ title, lead, actions, children }: PanelProps) {
  const id = useId()
  return (
    <section class={styles.panel} aria-labelledby={id}>
      <header class={styles.header}>
        <div>
          <h2 id={id}>{title}</h2>
          {lead && <p class={styles.lead}>{lead}</p>}
        </div>
        {actions && <div class={styles.buttons}>{actions}</div>}
      </header>
      {children}
    </section>
  )
}
