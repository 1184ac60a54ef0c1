import { expect, test } from 'vitest'
import { LOCALES } from '../../../shared/text/texts.ts'
import { type Withdrawing, writeStatement } from './withdrawal-email.ts'

const OF: Withdrawing = {
  order_id: 'O-7K3M-9QXT',
  item_name: 'Pro',
  ordered_at: Date.UTC(2026, 10, 20),
  name: 'Ann',
  email: 'ann@example.com',
}

test.each(LOCALES)('in %s it states who, what and when, and ends with one period', (locale) => {
  const statement = writeStatement(OF, locale)
  for (const word of ['Ann (ann@example.com)', 'Pro', 'O-7K3M-9QXT', '2026']) {
    expect(statement).toContain(word)
  }
  expect(statement).toMatch(/[^.]\.$/)
})
