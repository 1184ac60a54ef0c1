/** Moves the focus to the first field of a form that shows a fault. A group of controls focuses its first one. */
export function focusFault(form: Element | null): void {
  const faulty = form?.querySelector<HTMLElement>('[aria-invalid]')
  const target = faulty?.matches('fieldset') ? faulty.querySelector<HTMLElement>('input, button') : faulty
  target?.focus()
}
