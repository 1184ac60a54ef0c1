import styles from './facts.module.css'
import type { Fact } from './result-facts.ts'

/** A table of labels and values. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class={styles.facts}>
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
