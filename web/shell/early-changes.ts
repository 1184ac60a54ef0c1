type Field = HTMLInputElement | HTMLSelectElement

/**
 * Finds what a user has entered in a prerendered page before its script had loaded: files, texts and choices. The first
 * rendering would undo it.
 * @returns enters the same again, in the rendered page
 */
export function collectEarlyChanges(root: HTMLElement): () => void {
  const changed = [...root.querySelectorAll<Field>('input, select')].filter(isChanged)
  const repeats = changed.map(repeatChange)
  return () => {
    for (const repeat of repeats) repeat()
  }
}

function isChanged(field: Field): boolean {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some(({ selected, defaultSelected }) => selected !== defaultSelected)
  if (field.type === 'file') return (field.files?.length ?? 0) > 0
  if (field.type === 'radio') return field.checked && !field.defaultChecked
  return field.value !== field.defaultValue
}

function repeatChange(field: Field): () => void {
  const { value } = field
  return () => {
    if (field instanceof HTMLInputElement && field.type === 'radio') field.checked = true
    else if (field.type !== 'file') field.value = value
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }
}
