import { parseArgs } from 'node:util'
import { simulateAccounts } from '../edge/subscriptions/rules/testing/account-years.ts'

/**
 * Lives a thousand account-years with a moved clock through the rules of credits, terms and renewals:
 * `npm run simulate`, or with `-- --seed N --accounts N` to replay one. Ends with 1 where anything happened
 * other than exactly once.
 */
const { values } = parseArgs({ options: { seed: { type: 'string' }, accounts: { type: 'string' } } })
const seed = Number(values.seed ?? Date.now() % 2 ** 32)
const accounts = Number(values.accounts ?? 1000)
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(accounts) || accounts < 1) {
  console.error('--seed and --accounts are whole numbers')
  process.exit(2)
}
console.log(`seed ${seed}, ${accounts} account-years`)
const begun = Date.now()
const { entries, terms, months, charges, notices, withdrawn } = simulateAccounts({ seed, accounts })
console.log(
  `${terms} terms, ${months} months and ${withdrawn} withdrawn, ${charges} charges, ${notices} notices`,
)
console.log(`${entries} ledger entries, each once, in ${((Date.now() - begun) / 1000).toFixed(1)} s`)
