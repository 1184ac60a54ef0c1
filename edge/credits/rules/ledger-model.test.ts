import { expect, test } from 'vitest'
import { runLedgerModel } from './testing/ledger-model.ts'

test('20,000 commands leave every grant as a model says that keeps each single credit', () => {
  expect(() => runLedgerModel({ seed: 20261120, commands: 20_000 })).not.toThrow()
})
