import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import styles from './landing.module.css'

interface SectionProps {
  title: string
  lead?: ComponentChildren
  children: ComponentChildren
}

/** A part of the page with its heading. */
export function Section({ title, lead, children }: SectionProps) {
  const id = useId()
  return (
    <section class={styles.section} aria-labelledby={id}>
      <h2 class={styles.heading} id={id}>
        {title}
      </h2>
      {lead && <p class={styles.lead}>{lead}</p>}
      {children}
    </section>
  )
}
