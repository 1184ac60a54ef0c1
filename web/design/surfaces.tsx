import { CircleAlert, CircleCheck, Info } from 'lucide-preact'
import type { ComponentChildren, JSX } from 'preact'
import { describeError } from '../api/media.ts'
import { classes } from './classes.ts'
import styles from './surfaces.module.css'

export function Card({ children, class: name, ...rest }: JSX.IntrinsicElements['section']) {
  return (
    <section class={classes(styles.card, name as string)} {...rest}>
      {children}
    </section>
  )
}

interface NoticeProps {
  kind?: 'info' | 'good' | 'bad'
  help?: ComponentChildren
  action?: ComponentChildren
  children: ComponentChildren
}

const ICONS = { info: Info, good: CircleCheck, bad: CircleAlert }

/** A sentence that matters now. Screen readers announce errors at once and other notices when they are idle. */
export function Notice({ kind = 'info', help, action, children }: NoticeProps) {
  const Icon = ICONS[kind]
  return (
    <div class={classes(styles.notice, styles[kind])} role={kind === 'bad' ? 'alert' : 'status'}>
      <Icon size={20} aria-hidden />
      <div class={styles['notice-text']}>
        <p>{children}</p>
        {help && <p class={styles.help}>{help}</p>}
      </div>
      {action}
    </div>
  )
}

/** Shows an error in words for users. */
export function ErrorNotice({ error, action }: { error: unknown; action?: ComponentChildren }) {
  const { message, help } = describeError(error)
  return (
    <Notice kind="bad" help={help} action={action}>
      {message}
    </Notice>
  )
}

interface EmptyProps {
  icon: ComponentChildren
  title: string
  /** True if it is the whole page, so that its title is the heading of the page. */
  isPage?: boolean
  children?: ComponentChildren
  action?: ComponentChildren
}

/** What a list shows while it has no entries: what would be here, and how to get it. */
export function EmptyState({ icon, title, isPage, children, action }: EmptyProps) {
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <div class={styles.empty}>
      {icon}
      <Heading>{title}</Heading>
      {children && <p>{children}</p>}
      {action}
    </div>
  )
}

/** Placeholder of the size of what is loading, so that the page does not move when it arrives. */
export function Skeleton({ height, width = '100%' }: { height: string; width?: string }) {
  return <span class={styles.skeleton} style={{ height, width }} aria-hidden />
}

/** @param fraction completed part from 0 to 1; null while it is unknown */
export function ProgressBar({ fraction, label }: { fraction: number | null; label: string }) {
  return (
    <progress
      class={styles.progress}
      aria-label={label}
      max={1}
      {...(fraction !== null && { value: fraction })}
    />
  )
}
