import type { ComponentChildren, TargetedSubmitEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { faultsByField } from '../api/faults.ts'
import { describeError } from '../api/media.ts'
import styles from './form.module.css'
import { ErrorNotice } from './surfaces.tsx'

interface FormState<Name extends string> {
  /** What is wrong, by the name of the input. */
  faults: Partial<Record<Name, string>>
  isBusy: boolean
}

interface FormProps<Name extends string> {
  /** Names of the inputs, which are also the fields of the request. */
  fields: readonly Name[]
  /** Sends the values. What it throws is shown at the field that the error names, otherwise above the form. */
  submit: (values: Record<Name, string>, form: HTMLFormElement) => Promise<unknown>
  children: (state: FormState<Name>) => ComponentChildren
}

/**
 * A form whose inputs keep their own values, so that a failure loses nothing. The browser checks the values first; the
 * focus then goes to the first fault.
 */
export function Form<Name extends string>({ fields, submit, children }: FormProps<Name>) {
  const form = useRef<HTMLFormElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [mended, setMended] = useState<readonly string[]>([])
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error])

  async function onSubmit(event: TargetedSubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const element = event.currentTarget
    const data = new FormData(element)
    const values = Object.fromEntries(fields.map((name) => [name, String(data.get(name) ?? '')]))
    setBusy(true)
    setError(null)
    setMended([])
    try {
      await submit(values as Record<Name, string>, element)
    } catch (thrown) {
      // What was typed in the meantime does not answer the refusal, which would not be shown anywhere.
      setMended([])
      setError(thrown)
    } finally {
      setBusy(false)
    }
  }

  const faults = faultsOf(error, fields)
  const isAtField = Object.keys(faults).length > 0
  for (const name of mended) delete faults[name as Name]
  return (
    <form
      ref={form}
      class={styles.form}
      onSubmit={onSubmit}
      onInput={({ target }) => setMended((names) => withName(names, (target as HTMLInputElement).name))}
    >
      {error !== null && !isAtField && <ErrorNotice error={error} />}
      {children({ faults, isBusy })}
    </form>
  )
}

const withName = (names: readonly string[], name: string) => (names.includes(name) ? names : [...names, name])

function faultsOf<Name extends string>(
  error: unknown,
  fields: readonly Name[],
): Partial<Record<Name, string>> {
  const all = Object.entries(faultsByField(error)).filter(([name]) => fields.includes(name as Name))
  // An error about one field can have words for users.
  const [only] = all
  if (all.length === 1 && only) return { [only[0]]: describeError(error).message } as Record<Name, string>
  return Object.fromEntries(all) as Record<Name, string>
}
