import { expect, test } from 'vitest'
import { contactSheet, type Outcome } from './sheet.ts'

function outcomeOf(state: Outcome['state'], reason: string | null = null): Outcome {
  const task = { service_slug: 'video', operation_key: 'link_info', sample: 'link', params: {} } as const
  return { task, state, reason, job: null, before: null, after: null }
}

test('what each task came to is counted by its own name', () => {
  const page = contactSheet([outcomeOf('done'), outcomeOf('off'), outcomeOf('off')], '2026-01-01')
  expect(page).toContain('<p>1 done, 0 failed, 2 switched off. Made 2026-01-01.</p>')
})

test('a link to this machine that is refused is not called switched off', () => {
  const page = contactSheet([outcomeOf('local', 'url: it must be a <public> address')], '2026-01-01')
  expect(page).toContain('0 done, 0 failed, 1 refused as local.')
  expect(page).not.toContain('switched off')
  expect(page).toContain('<p class="local">url: it must be a &#60;public&#62; address</p>')
})
