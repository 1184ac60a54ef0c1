import { expect, test } from 'vitest'
import { runLedgerModel } from './testing/ledger-model.ts'

test('20,000 commands leave every grant as the per-credit model predicts', () => {
  expect(() => runLedgerModel({ seed: 20261120, commands: 20_000 })).not.toThrow()
})
