import { expect, test } from 'vitest'
import { contactSheet, type Outcome } from './sheet.ts'

function outcomeOf(state: Outcome['state'], reason: string | null = null): Outcome {
  const task = { service_slug: 'video', operation_key: 'link_info', sample: 'link', params: {} } as const
  return { task, state, reason, job: null, before: null, after: null }
}

test('counts the tasks by their state', () => {
  const page = contactSheet([outcomeOf('done'), outcomeOf('off'), outcomeOf('off')], '2026-01-01')
  expect(page).toContain('<p>1 done, 0 failed, 2 disabled. Made 2026-01-01.</p>')
})

test('counts a refused link to this machine separately from disabled operations', () => {
  const page = contactSheet([outcomeOf('local', 'url: it must be a <public> address')], '2026-01-01')
  expect(page).toContain('0 done, 0 failed, 1 refused as local.')
  expect(page).not.toContain('disabled')
  expect(page).toContain('<p class="local">url: it must be a &lt;public&gt; address</p>')
})
