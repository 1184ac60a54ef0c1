import { effect, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

const page_title = signal('')

/** What the page is working on, or has just done, in a few words. It replaces the title of the tab; null for neither. */
export const activity = signal<string | null>(null)

effect(() => {
  const text = activity.value ?? page_title.value
  if (text !== '') document.title = `${text} · Media Credits`
})

/** Sets the title of the tab while a page is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    page_title.value = title
  }, [title])
}
