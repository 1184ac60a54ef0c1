import { parseArgs } from 'node:util'
import { simulateAccounts } from '../edge/subscriptions/rules/testing/account-years.ts'

/**
 * `npm run simulate`: simulates a thousand account-years of credits, terms, and renewals with an advancing clock.
 * Exits with code 1 if anything is missing or happens twice. `-- --seed N --accounts N` replays a run.
 */
const { values } = parseArgs({ options: { seed: { type: 'string' }, accounts: { type: 'string' } } })
const seed = Number(values.seed ?? Date.now() % 2 ** 32)
const accounts = Number(values.accounts ?? 1000)
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(accounts) || accounts < 1) {
  console.error('--seed and --accounts must be integers, and --accounts at least 1.')
  process.exit(2)
}
console.log(`seed ${seed}, ${accounts} account-years`)
const startedAt = Date.now()
const { entries, terms, months, charges, notices, withdrawn } = simulateAccounts({ seed, accounts })
console.log(
  `${terms} terms, ${months} months and ${withdrawn} withdrawn, ${charges} charges, ${notices} notices`,
)
console.log(`${entries} ledger entries, each exactly once, ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
