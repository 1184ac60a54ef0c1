import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Buttons of a step that can have the focus after a change of the chain. */
export type StepControl = 'settings' | 'up' | 'down' | 'remove'

/**
 * Keeps the focus in the list of steps: a change moves or removes the element that had it.
 * @returns a function that focuses a button of a step after the next render; for no step, what follows the list
 */
export function useStepFocus(
  list: RefObject<HTMLElement>,
): (id: string | null, control: StepControl) => void {
  const wanted = useRef<{ id: string | null; control: StepControl } | null>(null)
  useLayoutEffect(() => {
    const { current } = wanted
    if (current === null) return
    wanted.current = null
    const row = list.current?.querySelector(`[data-step="${current.id}"]`)
    const next = list.current?.nextElementSibling?.querySelector<HTMLElement>('select')
    const buttons = row?.querySelectorAll<HTMLElement>('[data-control]') ?? []
    const [first = next] = buttons
    const named = [...buttons].find(({ dataset }) => dataset.control === current.control)
    ;(named ?? first)?.focus()
  })
  return (id, control) => {
    wanted.current = { id, control }
  }
}
