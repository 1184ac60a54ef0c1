import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import styles from './landing.module.css'

interface SectionProps {
  title: string
  /** Name by which links lead to the section. */
  anchor?: string
  lead?: ComponentChildren
  children: ComponentChildren
}

/** A part of the page with its heading. */
export function Section({ title, anchor, lead, children }: SectionProps) {
  const id = useId()
  const section = useRef<HTMLElement>(null)
  // The browser has looked for the section before it was rendered.
  useEffect(() => {
    if (anchor !== undefined && location.hash === `#${anchor}`) section.current?.scrollIntoView()
  }, [anchor])
  return (
    <section ref={section} id={anchor} class={styles.section} aria-labelledby={id}>
      <h2 class={styles.heading} id={id}>
        {title}
      </h2>
      {lead && <p class={styles.lead}>{lead}</p>}
      {children}
    </section>
  )
}
