import { effect, signal } from '@preact/signals'
import { readStored, store } from '../text/stored.ts'

export type Theme = 'system' | 'light' | 'dark'

const stored = readStored('theme')
export const theme = signal<Theme>(stored === 'light' || stored === 'dark' ? stored : 'system')

effect(() => {
  if (theme.value === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme.value
})

export function chooseTheme(next: Theme): void {
  store('theme', next === 'system' ? null : next)
  theme.value = next
}
