import { parseArgs } from 'node:util'
import { runLedgerModel } from '../edge/credits/rules/testing/ledger-model.ts'

/**
 * Carries out a million generated commands on the rules of credits and on a model of them:
 * `npm run ledger-model`, or with `-- --seed N --commands N` to replay one. Ends with 1 at a difference.
 */
const { values } = parseArgs({ options: { seed: { type: 'string' }, commands: { type: 'string' } } })
const seed = Number(values.seed ?? Date.now() % 2 ** 32)
const commands = Number(values.commands ?? 1_000_000)
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(commands) || commands < 1) {
  console.error('--seed and --commands are whole numbers')
  process.exit(2)
}
console.log(`seed ${seed}, ${commands} commands`)
const begun = Date.now()
runLedgerModel({ seed, commands })
console.log(`no difference in ${((Date.now() - begun) / 1000).toFixed(1)} s`)
