import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { defineTexts } from '../text/define-texts.ts'
import { formatPercent } from '../text/format.ts'
import styles from './comparison.module.css'

const texts = defineTexts({
  en: {
    before: 'Before',
    after: 'After',
    divider: 'Divider between before and after',
    shown: (percent: string) => `${percent} of the width shows before`,
  },
  uk: {
    before: 'До',
    after: 'Після',
    divider: 'Межа між «до» та «після»',
    shown: (percent: string) => `«До» займає ${percent} ширини`,
  },
  ru: {
    before: 'До',
    after: 'После',
    divider: 'Граница между «до» и «после»',
    shown: (percent: string) => `«До» занимает ${percent} ширины`,
  },
})

interface ComparisonProps {
  /** An image or a video. Both are scaled to fit the same frame. */
  before: ComponentChildren
  after: ComponentChildren
  /** Size of the frame in any unit. Its ratio reserves the space before the images load. */
  width: number
  height: number
}

/**
 * Two images on top of each other with a divider that the user drags or moves with the arrow keys. The control is a
 * range input over the whole frame, so that keyboards, touch screens and screen readers work as with any other.
 */
export function Comparison({ before, after, width, height }: ComparisonProps) {
  const t = texts()
  const [position, setPosition] = useState(50)
  const style = { '--position': `${position}%`, aspectRatio: `${width} / ${height}` }
  return (
    <div class={styles.frame} style={style}>
      <div class={styles.layer}>{after}</div>
      <div class={`${styles.layer} ${styles.before}`}>{before}</div>
      <span class={`${styles.label} ${styles.left}`} aria-hidden>
        {t.before}
      </span>
      <span class={`${styles.label} ${styles.right}`} aria-hidden>
        {t.after}
      </span>
      <input
        class={styles.range}
        type="range"
        min={0}
        max={100}
        step="any"
        value={position}
        aria-label={t.divider}
        aria-valuetext={t.shown(formatPercent(position / 100))}
        onInput={({ currentTarget }) => setPosition(currentTarget.valueAsNumber)}
        onKeyDown={(event) => {
          // Browsers move a range without steps by too little.
          const change = { ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5 }[event.key]
          if (change === undefined) return
          event.preventDefault()
          setPosition(Math.min(100, Math.max(0, position + change)))
        }}
      />
      <span class={styles.divider} aria-hidden />
    </div>
  )
}
