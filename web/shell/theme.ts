import { effect, signal } from '@preact/signals'
import { writeCookie } from '../text/cookies.ts'
import { readStored, store } from '../text/stored.ts'

export type Theme = 'system' | 'light' | 'dark'

const stored = readStored('theme')
export const theme = signal<Theme>(stored === 'light' || stored === 'dark' ? stored : 'system')

effect(() => {
  const chosen = theme.value === 'system' ? null : theme.value
  if (chosen === null) delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
  // The service sets the attribute in documents, so that they are not painted in the other theme first.
  writeCookie('theme', chosen)
})

export function chooseTheme(next: Theme): void {
  store('theme', next === 'system' ? null : next)
  theme.value = next
}
