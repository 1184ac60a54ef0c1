import type { ComponentChildren, JSX } from 'preact'
import styles from './button.module.css'
import { classes } from './classes.ts'

interface Look {
  /** Default: `secondary`. A page has at most one `primary` button. */
  look?: 'primary' | 'secondary' | 'plain' | 'danger'
  /** True if the button takes the whole width. */
  isWide?: boolean
  children: ComponentChildren
}

type ButtonProps = Look & { isBusy?: boolean } & Omit<JSX.IntrinsicElements['button'], 'children'>

/** A button that does something on this page. While busy, it shows a spinner, and clicks do nothing. */
export function Button({ look = 'secondary', isWide, isBusy, children, onClick, ...rest }: ButtonProps) {
  const name = classes(styles.button, styles[look], isWide && styles.wide, isBusy && styles.busy)
  return (
    <button
      type="button"
      class={name}
      aria-busy={isBusy || undefined}
      {...rest}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    >
      {isBusy ? <span>{children}</span> : children}
    </button>
  )
}

/** A link that looks like a button. */
export function LinkButton({
  look = 'secondary',
  isWide,
  children,
  ...rest
}: Look & Omit<JSX.IntrinsicElements['a'], 'children'>) {
  return (
    <a class={classes(styles.button, styles[look], isWide && styles.wide)} {...rest}>
      {children}
    </a>
  )
}

type IconButtonProps = { label: string; children: ComponentChildren } & Omit<
  JSX.IntrinsicElements['button'],
  'children' | 'label'
>

/** A button with an icon, whose label is a tooltip and the text of screen readers. */
export function IconButton({ label, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      class={classes(styles.button, styles.plain, styles.icon)}
      aria-label={label}
      title={label}
      {...rest}
    >
      {children}
    </button>
  )
}

/** A link with an icon, whose label is a tooltip and the text of screen readers. */
export function IconLink({
  label,
  href,
  children,
  ...rest
}: { label: string; children: ComponentChildren } & Omit<JSX.IntrinsicElements['a'], 'children' | 'label'>) {
  return (
    <a class={classes(styles.button, styles.plain, styles.icon)} href={href} title={label} {...rest}>
      <span class="visually-hidden">{label}</span>
      {children}
    </a>
  )
}
